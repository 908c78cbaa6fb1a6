/** Bytes of memory that one value takes in parsed JSON, and what an item of a list takes beside that while it is judged; both measured. */
const VALUE_BYTES = 64;
const ITEM_BYTES = 320;

/** Bytes of memory that a text takes, with its values parsed as JSON and its items judged. Strings mean nothing here. */
export function judgedBytesOf(text: string): number {
  let [values, items, depth] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) at = endOfString(text, at);
    else if (c === COMMA) {
      values += 1;
      if (depth === 1) items += 1;
    } else if (c === BRACKET || c === BRACE) {
      values += 1;
      depth += 1;
    } else if (c === BRACKET_END || c === BRACE_END) depth -= 1;
  }
  return text.length + values * VALUE_BYTES + items * ITEM_BYTES;
}

const [QUOTE, COMMA, BRACKET, BRACE, BRACKET_END, BRACE_END] = [0x22, 0x2c, 0x5b, 0x7b, 0x5d, 0x7d];

/** The place of the quotation mark that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, place: number): boolean {
  let before = place;
  while (text.charAt(before - 1) === '\\') before -= 1;
  return (place - before) % 2 === 1;
}
