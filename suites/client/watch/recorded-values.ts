import { LEFT_OUT_BODY } from '../../../kernel/exchanges/body.ts';
import type { Body, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import {
  isName,
  recordedValue,
  recordedTarget as targetWith,
  withoutValue,
} from '../../../kernel/exchanges/judged-headers.ts';
import { redactedLine } from '../../../kernel/recording/redaction/header-line.ts';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import { utf8Text } from '../../../kernel/recording/utf8.ts';
import type { ReceivedBody } from '../service/request-body.ts';
import { tagOf } from '../service/value-tags.ts';
import type { SeenKey } from './seen-keys.ts';

/**
 * The header lines as they are recorded: every name, and the values that a judge reads.
 * @param base the path of the base address.
 */
export const recordedHeaders = (
  headers: readonly HeaderLine[],
  { redact, redactCredential }: SeenKey,
  base: string,
): readonly HeaderLine[] =>
  headers.map((line) => {
    const isCredential = line[0].toLowerCase() === 'authorization';
    const [name, value] = redactedLine(line, isCredential ? redactCredential : redact);
    if (/^location$/i.test(name)) return [name, recordedTarget(value, base)];
    if (!/^link$/i.test(name)) return [name, recordedValue(name, value, tagOf)];
    return [name, value.replace(/(?<=<)[^>]*/g, (one) => recordedTarget(one, base))];
  });

/** The target of a request or a link: the names in its path, and those of its parameters. */
export function recordedTarget(redacted: string, base: string): string {
  const [path = ''] = /^[^?#]*/.exec(redacted) ?? [];
  const [origin = ''] = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i.exec(path) ?? [];
  const kept = origin.length + (path.startsWith(`${base}/`, origin.length) ? base.length : 0);
  const segments = path
    .slice(kept)
    .replace(/(?<=^|\/)[^/;]+/g, (one) => (isName(one) ? one : withoutValue(one, tagOf)));
  return targetWith(`${path.slice(0, kept)}${segments}${redacted.slice(path.length)}`, tagOf);
}

/** A body as it is recorded: of JSON its form, of anything else nothing. Null where there was none. */
export function recordedForm({ bytes, length, complete }: ReceivedBody, redact: Redact): Body | null {
  if (length === 0) return null;
  if (!complete) return { excerpt: '', encoding: 'utf8', bytes: length, cut: true };
  const text = utf8Text(bytes);
  return text === undefined
    ? { text: LEFT_OUT_BODY, encoding: 'base64', bytes: length, cut: false }
    : { text: formOf(redact(text)), encoding: 'utf8', bytes: length, cut: false };
}

/** The texts and numbers of JSON; a text with a colon after it is the name of a field. */
const VALUES = /"(?:[^"\\]|\\.)*"(\s*:)?|-?[0-9][0-9.eE+-]*/g;

/** The fields whose numbers a judge reads. */
const JUDGED_NUMBERS: ReadonlySet<string> = new Set(['"id"', '"status"']);

/** JSON with the names of its fields and kinds of values, `id` and `status`: a text is only known to be the same as another. */
function formOf(text: string): string {
  if (!isJson(text)) return withoutValue(text, tagOf);
  let field = '';
  return text.replace(VALUES, (value: string, colon?: string) => {
    if (colon !== undefined) {
      field = value.slice(0, -colon.length);
      const name: unknown = JSON.parse(field);
      return isName(String(name)) ? value : `"${withoutValue(field.slice(1, -1), tagOf)}"${colon}`;
    }
    if (!value.startsWith('"')) return JUDGED_NUMBERS.has(field) ? value : '0';
    return /^"(?:\s|\\[nrt])*"$/.test(value) ? value : `"${withoutValue(value.slice(1, -1), tagOf)}"`;
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}
