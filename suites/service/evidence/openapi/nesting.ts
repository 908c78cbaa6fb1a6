const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** What may stand before the first word of a line of YAML and begin a level: white space, `-`, `?` and `:`. */
const INDENTING: ReadonlySet<number> = new Set([0x20, 0x09, 0x2d, 0x3f, 0x3a]);

/**
 * At least as many levels as a text of JSON or YAML has: the brackets and braces that are open at the same time, in
 * texts or not, and the characters before the first word of a line, of which each level takes one. A scan, so that no
 * depth can overflow the stack. To overflow it and catch that is not enough: where an expression is compiled at the
 * end of the stack, V8 ends the process.
 */
export function mostLevels(text: string): number {
  let [open, mostOpen, indent, mostIndent, begins] = [0, 0, 0, 0, true];
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === OPEN_BRACKET || c === OPEN_BRACE) mostOpen = Math.max(mostOpen, ++open);
    else if (c === CLOSE_BRACKET || c === CLOSE_BRACE) open = Math.max(0, open - 1);
    begins = c === LINE_FEED || c === CARRIAGE_RETURN || (begins && INDENTING.has(c));
    indent = begins && INDENTING.has(c) ? indent + 1 : 0;
    mostIndent = Math.max(mostIndent, indent);
  }
  return mostOpen + mostIndent;
}
