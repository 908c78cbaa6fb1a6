import { parsedJson } from '../../../kernel/basics/json.ts';
import { LEFT_OUT_BODY } from '../../../kernel/exchanges/body.ts';
import type { Body, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import {
  isName,
  recordedValue,
  recordedTarget as targetWith,
  withoutValue,
} from '../../../kernel/exchanges/judged-headers.ts';
import { utf8Text } from '../../../kernel/recording/line-file.ts';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import { redactedLine } from '../../../kernel/recording/redaction/redact.ts';
import { KEY } from '../model/sender.ts';
import type { ReceivedBody } from '../service/request-body.ts';
import { keyRedactor, tagOf } from '../service/request-body.ts';

/** The requests of one key, or those without one: they are judged together. */
export interface SeenKey {
  /** Numbered from 1 in the order in which the keys were seen. */
  readonly start: number;
  /** Replaces this key by `[key]`, and every other one that was seen. */
  readonly redact: Redact;
  /** The same for a value of `Authorization`, of which the key is known even where it is too short to be recognized in other text. */
  readonly redactCredential: Redact;
}

/** A watched client brings its own, learnt from its `Authorization` headers; those that the user names are known at once. */
export class SeenKeys {
  readonly #keys = new Map<string, SeenKey>();
  readonly #redactors = new Map<string, Redact>();
  readonly #known: readonly string[];

  constructor(known: readonly string[]) {
    this.#known = known;
    for (const key of known) this.#learn(key);
  }

  keyOf(headers: readonly HeaderLine[], target: string): SeenKey {
    const credential = credentialOf(headers) ?? this.#known.find((key) => holds(headers, target, key)) ?? '';
    const known = this.#keys.get(credential);
    if (known !== undefined) return known;
    this.#learn(credential);
    const seen: SeenKey = {
      start: this.#keys.size + 1,
      redact: (text) => this.#redacted(text, credential),
      redactCredential: (value) =>
        credential !== '' && value.trim().endsWith(credential)
          ? `${value.trim().slice(0, -credential.length)}${KEY}`
          : this.#redacted(value, credential),
    };
    this.#keys.set(credential, seen);
    return seen;
  }

  #learn(key: string): void {
    if (key !== '' && !this.#redactors.has(key)) this.#redactors.set(key, keyRedactor(key));
  }

  #redacted(text: string, own: string): string {
    let shown = text;
    for (const [key, redact] of this.#redactors) {
      if (key !== own) shown = redact(shown).replaceAll('[key', '[another key');
    }
    return this.#redactors.get(own)?.(shown) ?? shown;
  }
}

/** What stands behind the scheme of `Authorization`, or all of it where there is no scheme. */
function credentialOf(headers: readonly HeaderLine[]): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1].trim();
  return value === undefined || value === '' ? undefined : (/^\S+\s+(.+)$/.exec(value)?.[1] ?? value);
}

const holds = (headers: readonly HeaderLine[], target: string, key: string): boolean =>
  target.includes(key) || headers.some(([, value]) => value.includes(key));

/** The header lines as they are recorded: every name, and the values that a judge reads. @param base the path of the base address. */
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
  if (parsedJson(text.replace(/^\uFEFF/, '')) === undefined) return withoutValue(text, tagOf);
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
