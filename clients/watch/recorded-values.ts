import { createHmac, randomBytes } from 'node:crypto';
import type { Body, HeaderLine } from '../../exchanges/exchange.ts';
import { JUDGED_HEADERS } from '../../exchanges/judged-headers.ts';
import { redactedLine } from '../../recording/redaction/header-line.ts';
import type { Redact } from '../../recording/redaction/redact.ts';
import { utf8Text } from '../../recording/utf8.ts';
import type { ReceivedBody } from '../service/request-body.ts';
import type { SeenKey } from './seen-keys.ts';

/** What stands for a value that no judge reads. */
const LEFT_OUT = '[not recorded]';

/** The names that stand for keys in a redacted text. */
const KEY_NAMES = /\[(?:another )?key[^\]]*\]/g;

/** It stands nowhere and ends with this process: so equal values are known as equal, and none can be guessed. */
const SALT = randomBytes(32);

/** What stands for a value: the same for equal ones. */
const tagOf = (value: string): string => createHmac('sha256', SALT).update(value).digest('hex').slice(0, 8);

/** A value that is left out, apart from the keys in it. */
const withoutValue = (redacted: string, left = LEFT_OUT): string =>
  [left, ...new Set(redacted.match(KEY_NAMES) ?? [])].join(' ');

/** The header lines as they are recorded: every name, and the values that a judge reads. */
export const recordedHeaders = (
  headers: readonly HeaderLine[],
  { redact, redactCredential }: SeenKey,
): readonly HeaderLine[] =>
  headers.map((line) => {
    const isCredential = line[0].toLowerCase() === 'authorization';
    const [name, value] = redactedLine(line, isCredential ? redactCredential : redact);
    return [name, recordedValue(name.toLowerCase(), value)];
  });

function recordedValue(name: string, value: string): string {
  if (name === 'authorization') return recordedCredential(value);
  if (name === 'location' || name === 'link') return recordedTarget(value);
  return JUDGED_HEADERS.has(name) ? value : withoutValue(value);
}

/** The scheme, and a key that was learnt; another credential is as secret. */
function recordedCredential(value: string): string {
  if (/^(?:\S+\s+)?\[(?:another )?key[^\]]*\]$/.test(value)) return value;
  const [scheme = ''] = /^\S+(?=\s)/.exec(value) ?? [];
  return withoutValue(value, `${scheme} ${LEFT_OUT}`.trim());
}

/** A target with the names of its parameters, and without a password of its address. */
export const recordedTarget = (redacted: string): string =>
  redacted
    .replace(/^(https?:\/\/)[^/?#@]*@/i, `$1${LEFT_OUT}@`)
    .replace(/([?&;][^?&;=#<>\s]*)=([^?&;#>\s]*)/g, (_, name: string, value: string) =>
      value === '' || /^\[[^\]]*\]$/.test(value) ? `${name}=${value}` : `${name}=[value ${tagOf(value)}]`,
    );

/** A body as it is recorded: of JSON its form, of anything else nothing. Null where there was none. */
export function recordedForm({ bytes, length, complete }: ReceivedBody, redact: Redact): Body | null {
  if (length === 0) return null;
  if (!complete) return { excerpt: '', encoding: 'utf8', bytes: length, cut: true };
  const text = utf8Text(bytes);
  return text === undefined
    ? { text: NOT_UTF8, encoding: 'base64', bytes: length, cut: false }
    : { text: formOf(redact(text)), encoding: 'utf8', bytes: length, cut: false };
}

/** One byte that is no UTF-8, in base64. */
const NOT_UTF8 = Buffer.from([0xff]).toString('base64');

/** The texts and numbers of JSON; a text with a colon after it is the name of a field. */
const VALUES = /"(?:[^"\\]|\\.)*"(\s*:)?|-?[0-9][0-9.eE+-]*/g;

/** The fields whose numbers a judge reads. */
const JUDGED_NUMBERS: ReadonlySet<string> = new Set(['"id"', '"status"']);

/** JSON with its fields and kinds of values, `id` and `status`: a text is only known to be the same as another. */
function formOf(text: string): string {
  if (!isJson(text)) return withoutValue(text);
  let field = '';
  return text.replace(VALUES, (value: string, colon?: string) => {
    if (colon !== undefined) {
      field = value.slice(0, -colon.length);
      return value;
    }
    if (!value.startsWith('"')) return JUDGED_NUMBERS.has(field) ? value : '0';
    return /^"(?:\s|\\[nrt])*"$/.test(value) ? value : `"${withoutValue(value, `[text ${tagOf(value)}]`)}"`;
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
