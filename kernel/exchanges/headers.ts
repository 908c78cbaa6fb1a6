import type { Answer, Exchange, HeaderLine } from './exchange.ts';
import type { JudgedHeader } from './judged-headers.ts';
import { CACHE_STATUS, INTERMEDIARY } from './judged-headers.ts';

/** Names are compared without case (RFC 9110 §5.1). The cheap comparisons come first: judging reads every line of every response a dozen times. */
const sameName = (a: string, b: string): boolean =>
  a.length === b.length && (a === b || a.toLowerCase() === b.toLowerCase());

/** As they came. @param raw names and values in turn, as a parser gives them. */
export function headerLines(raw: readonly (Buffer | string)[]): readonly HeaderLine[] {
  const texts = raw.map((one) => one.toString('latin1'));
  return texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? ''] as const] : []));
}

export function headerValues(headers: readonly HeaderLine[], name: JudgedHeader): readonly string[] {
  const values: string[] = [];
  for (const [key, value] of headers) if (sameName(key, name)) values.push(...unjoined(value.trim()));
  return values;
}

/** The one value of a header; undefined where it is absent, or present more than once with different values. */
export function headerValue(headers: readonly HeaderLine[], name: JudgedHeader): string | undefined {
  let only: string | undefined;
  for (const [key, value] of headers) {
    if (!sameName(key, name)) continue;
    const text = valueIn(value);
    if (only !== undefined && only !== text) return undefined;
    only = text;
  }
  return only;
}

/** The value of a line, once where a gateway joined equal ones. */
export function valueIn(line: string): string {
  const text = line.trim();
  return text.includes(',') ? (unjoined(text)[0] ?? text) : text;
}

/** The values in a line: a gateway may join lines of one name with a comma (RFC 9110 §5.3), which shows where they are equal. */
function unjoined(line: string): readonly string[] {
  const comma = line.indexOf(',');
  // A repetition has its first part again, which the date that every response has does not.
  if (comma === -1 || !line.includes(line.slice(0, comma).trim(), comma)) return [line];
  const parts = line.split(',').map((part) => part.trim());
  // A date has a comma of its own.
  for (const size of [1, 2]) {
    const value = parts.slice(0, size).join(', ');
    const times = parts.length / size;
    const isRepeated =
      times > 1 && Number.isInteger(times) && parts.every((part, at) => part === parts[at % size]);
    if (isRepeated && value !== '') return Array.from({ length: times }, () => value);
  }
  return [line];
}

export function answerOf({ outcome }: Pick<Exchange, 'outcome'>): Answer | undefined {
  return outcome.kind === 'answer' ? outcome : undefined;
}

export function statusOf(exchange: Exchange): number | undefined {
  return answerOf(exchange)?.status;
}

/** The header lines of the response; none where no response came. */
export const headersOf = (exchange: Pick<Exchange, 'outcome'>): readonly HeaderLine[] =>
  answerOf(exchange)?.headers ?? [];

/** Whether a Content-Type names `application/json`, in any case and with any parameters (RFC 9110 §8.3.1). */
export const isJsonMediaType = (type: string): boolean => /^application\/json[ \t]*(;.*)?$/i.test(type);

/** What a cache writes where it answered from its store: `HIT`, `TCP_MEM_HIT`, `Hit from cloudfront`, `ExampleCache; hit`. */
const ANSWERED = /(^|[^a-z])(hit|stale|updating)([^a-z]|$)/i;

/** Lines that a cache writes or changes in a stored response, and those of the connection, in lower case. */
const CHANGED_BY_CACHES =
  /^(age|via|x-served-by|x-timer|x-varnish|cf-.*|(x-)?(proxy-)?cache-?(status|hits|lookup)?|x-cache.*|server-timing|connection|keep-alive)$/;

/** Whether the response is older than its request by its own statement. */
export const isAged = (exchange: Exchange): boolean => Number(ageOf(exchange) ?? 0) > 0;

/** Only a cache writes an Age, in whole seconds: no origin does (RFC 9111 §5.1). */
const ageOf = (exchange: Exchange): string | undefined => headerValue(headersOf(exchange), 'Age');

/** Whether the response states that a cache answered with what it had stored. */
export const statesStored = (exchange: Exchange): boolean =>
  ageOf(exchange) !== undefined ||
  CACHE_STATUS.some((name) => ANSWERED.test(headerValue(headersOf(exchange), name) ?? ''));

/** The header line that shows a cache best, as `X-Cache: HIT`; undefined where the response names none. */
export function cacheLine(exchange: Exchange): string | undefined {
  const headers = headersOf(exchange);
  const stated = CACHE_STATUS.find((name) => ANSWERED.test(headerValue(headers, name) ?? ''));
  const name =
    stated ?? (ageOf(exchange) !== undefined ? 'Age' : INTERMEDIARY.find((one) => headerValue(headers, one)));
  return name === undefined ? undefined : `${name}: ${headerValue(headers, name)}`;
}

/** The header lines of a response that a cache leaves as it stored them, as one text. */
export const storedLines = (exchange: Exchange): string =>
  headersOf(exchange)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !CHANGED_BY_CACHES.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** A token of HTTP, and what may stand behind the scheme of a challenge (RFC 9110 §11.2, §11.3). */
const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const PARAMETER = new RegExp(`^${TOKEN}[ \\t]*=[ \\t]*(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")$`, 's');
const SCHEME = new RegExp(`^(${TOKEN})(?:[ \\t]+(.*))?$`, 's');
const TOKEN68 = /^[\w.~+/-]+=*$/;

/** Of a WWW-Authenticate field, in lower case (RFC 9110 §11.6.1): challenges and their parameters are both separated by commas. */
export function challengeSchemes(field: string): readonly string[] {
  const schemes: string[] = [];
  for (const element of elementsOf(field)) {
    if (PARAMETER.test(element)) continue;
    const [, scheme, rest] = SCHEME.exec(element) ?? [];
    if (scheme !== undefined && (rest === undefined || TOKEN68.test(rest) || PARAMETER.test(rest)))
      schemes.push(scheme.toLowerCase());
  }
  return schemes;
}

/** The elements of a list, separated by the commas outside of quotation marks. */
function elementsOf(field: string): readonly string[] {
  const elements: string[] = [];
  let begins = 0;
  let quoted = false;
  for (let at = 0; at < field.length; at += 1) {
    const c = field[at];
    if (quoted && c === '\\') at += 1;
    else if (c === '"') quoted = !quoted;
    else if (c === ',' && !quoted) {
      elements.push(field.slice(begins, at).trim());
      begins = at + 1;
    }
  }
  return [...elements, field.slice(begins).trim()].filter((one) => one !== '');
}

/** The reference of a next page in the `Link` headers of a response (RFC 8288 §3), as it stands there; undefined where none is named. */
export function nextReference(headers: readonly HeaderLine[]): string | undefined {
  for (const value of headerValues(headers, 'Link')) {
    for (const link of value.split(/,\s{0,20}(?=<)/)) {
      const [, reference, parameters = ''] = /^[^<>]*<([^>]*)>(.*)$/s.exec(link) ?? [];
      if (namesNext(parameters)) return reference;
    }
  }
  return undefined;
}

/** Whether a Link names a next page. The relations are looked at by themselves: in one expression, white space has two readings. */
export const namesNext = (link: string): boolean =>
  [...link.matchAll(/;\s*rel\s*=\s*"?([^";,]*)/gi)].some(([, relations = '']) => /\bnext\b/i.test(relations));

/** A longer reference is not followed, in characters. */
const LONGEST_REFERENCE = 2000;

/** A next page of the list; undefined beyond its origin and path, because the request carries a key. */
export function sameListReference(reference: string, origin: string, target: string): string | undefined {
  const from = `${origin}${target}`;
  if (reference.length > LONGEST_REFERENCE || !URL.canParse(from) || !URL.canParse(reference, from))
    return undefined;
  const [here, next] = [new URL(from), new URL(reference, from)];
  const same = next.origin === here.origin && next.pathname === here.pathname;
  return same ? `${next.pathname}${next.search}` : undefined;
}
