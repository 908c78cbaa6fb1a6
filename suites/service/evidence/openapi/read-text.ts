import type { Document } from 'yaml';
import { isScalar, parseDocument, visit } from 'yaml';
import { parsedJson } from '../../../../kernel/basics/json.ts';
import { quoted } from '../../../../kernel/basics/text.ts';
import { isPageText } from '../../model/target-reading.ts';
import type { Mismatch } from './references.ts';
import { unreadable, violating } from './references.ts';

const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** What may stand before the first word of a line of YAML and begin a level: white space, `-`, `?` and `:`. */
const INDENTING: ReadonlySet<number> = new Set([0x20, 0x09, 0x2d, 0x3f, 0x3a]);

/** A scan, because where an expression is compiled at the end of the stack, V8 ends the process. */
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

/** More aliases than any real document has: YAML can grow without bound from a few of them. */
const MAX_ALIASES = 100;

/** Many times the levels of any real document, and half of those at which the reader of YAML reaches the end of the stack. */
const MAX_LEVELS = 400;

/** Larger texts are read as JSON or not at all, in characters: to read YAML takes a thousand times as long. */
const MAX_YAML = 512 * 1024;

interface Content {
  readonly value: unknown;
}

/** Reads a document that is JSON or YAML, or states why it cannot be read. Pure; never throws. */
export function readText(text: string): Content | Mismatch {
  if (isPageText(text)) return unreadable('it is a page of HTML instead of JSON or YAML');
  if (mostLevels(text) > MAX_LEVELS)
    return unreadable(`the text may be nested deeper than ${MAX_LEVELS} levels, which is too deep to read`);
  const json = parsedJson(text);
  if (json !== undefined) return { value: json };
  if (text.length > MAX_YAML)
    return unreadable(
      `the text has ${text.length} characters that are not JSON, which is too long to read as YAML`,
    );
  try {
    return yamlIn(text);
  } catch (error) {
    // Aliases that expand without end.
    return violating(
      `the text cannot be read (${quoted(error instanceof Error ? error.message : String(error))})`,
    );
  }
}

function yamlIn(text: string): Content | Mismatch {
  // The library compares every key with every other; a set is enough for keys that are texts.
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  const trouble = error?.message ?? repeatedKey(document);
  if (trouble !== undefined) return violating(`the text is neither JSON nor YAML (${quoted(trouble)})`);
  return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
}

/** YAML 1.2 §3.2.1.3: "the content of a mapping node is an unordered set of key/value node pairs, with the restriction that each of the keys is unique". */
function repeatedKey(document: Document): string | undefined {
  let found: string | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) found = 'Map keys must be unique';
        keys.add(key.value);
      }
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}
