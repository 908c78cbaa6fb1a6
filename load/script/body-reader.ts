import type { HeaderLine } from '../../kernel/exchanges/exchange.ts';
import { valueIn } from '../../kernel/exchanges/headers.ts';
import { parseHttpDate } from '../../kernel/exchanges/rate-headers.ts';
import { encodedForms } from '../../kernel/recording/redaction/encodings.ts';
import type { Redact } from '../../kernel/recording/redaction/redact.ts';
import { redactor } from '../../kernel/recording/redaction/redact.ts';
import type { KeyAlias, Operation } from '../model/profile.ts';
import type { BodyReading } from '../model/sample.ts';

/** Characters kept of a header; no number or date in HTTP is longer. */
const LONGEST_TEXT = 64;

/** Characters of one word; no word of a number or date is longer. A longer one may be an encoded key. */
const LONGEST_WORD = 20;

/** The value of a gateway header may be "1"; replacing that everywhere would destroy the figures that are judged. */
const SHORTEST_SECRET_HEADER = 8;

/** What no sample may contain: the keys of a run and the values of gateway headers; the longest first, so that no part of one remains. */
export const secretsOf = (
  keys: readonly (string | undefined)[],
  headers: readonly HeaderLine[],
): readonly string[] =>
  [
    ...keys.map((key = '') => key),
    ...headers.flatMap(([, value]) => (value.length < SHORTEST_SECRET_HEADER ? [] : value)),
  ]
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length);

/**
 * A header value as a sample keeps it: a number or a date as it is, because that is judged, and any other text bounded
 * and without secrets. k6 joins the lines of a header with a comma; two equal lines become one again.
 * @param secrets of the run, from `secretsOf`.
 */
export function headerText(value: string, secrets: readonly string[]): string {
  const text = valueIn(value);
  return isFigure(text) ? text : boundedText(text, secrets);
}

/** A text of a target, bounded, and without anything that may be a secret, in whatever form the target echoes it. */
export function boundedText(text: string, secrets: readonly string[]): string {
  const safe = withoutLongWords(withoutSecrets(text, secrets));
  return safe.length > LONGEST_TEXT ? `${safe.slice(0, LONGEST_TEXT)}…` : safe;
}

/** The error text of k6 for a request without a response, bounded and cleaned in the same way. */
export const errorText = (error: string, secrets: readonly string[]): string =>
  withoutLongWords(withoutSecrets(error, secrets)).slice(0, 200);

const NUMBER = /^[0-9]{1,15}(?:\.[0-9]{1,9})?$/;

/** Whether a text is a number or a date, as in the rate-limit headers. */
const isFigure = (text: string): boolean => NUMBER.test(text) || parseHttpDate(text) !== undefined;

/** A text with every secret replaced, escaped and encoded ones as well. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const redact = redactors.get(secrets) ?? redactorOf(secrets);
  redactors.set(secrets, redact);
  return redact(text);
}

/** By the list of secrets, which a virtual user keeps. */
const redactors = new WeakMap<readonly string[], Redact>();

/**
 * Prepared at the first text that may hold a secret: that takes k6 some 4 ms for each key, in which no request is
 * sent. No form of a secret is shorter than it is without its hyphens and padding, so most ids are never searched.
 */
function redactorOf(secrets: readonly string[]): Redact {
  const shortest = Math.min(...secrets.map((value) => value.replace(/[-=]/g, '').length));
  const prepared = (): Redact => {
    const named = secrets.map((value) => ({ value, name: 'secret' }));
    return redactor(
      [...named, ...named.flatMap(encodedForms)].sort((a, b) => b.value.length - a.value.length),
    );
  };
  let redact: Redact | undefined;
  return (text) => {
    if (text.length < shortest) return text;
    redact ??= prepared();
    return redact(text);
  };
}

const withoutLongWords = (text: string): string =>
  text.replace(/[^\s,;:"'()[\]{}<>]+/g, (word) => (word.length > LONGEST_WORD ? '[long word]' : word));

/** Longer bodies are not read, in characters: a list of thousands, read for each request, would take what the requests need. */
const MOST_CHARACTERS = 16 * 1024;

/** With more keys, a list is only read where the response before it stated a short one: k6 holds every body in memory that it reads. */
const FEW_KEYS = 10;

/** The categories that a run creates begin with this. @param run unique for each run. */
const namesOf = (run: string): string => `load-${run}-`;

/** The name of the category that a request creates, unique in its run. @param n the position of the request, from 1. */
export const categoryName = (run: string, key: KeyAlias, n: number): string => `${namesOf(run)}${key}-${n}`;

interface BodyReaderSettings {
  readonly run: string;
  readonly keys: number;
  /** What no sample may contain. */
  readonly secrets: readonly string[];
}

export interface ReadResponse {
  readonly status: number;
  /** Null where k6 did not read it. */
  readonly body: string | null;
  /** The values by name, in the spelling of k6; of these, `Content-Length` and `Content-Encoding` are read. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Reads the bodies of the responses to one key: those that are short, because a load run is about what the target does under load. */
export class BodyReader {
  readonly #settings: BodyReaderSettings;
  /** Characters of the latest list; undefined where nothing showed them. */
  #listCharacters: number | undefined;
  /** The latest list that was as specified: most responses repeat the one before. */
  #knownList: string | undefined;

  constructor(settings: BodyReaderSettings) {
    this.#settings = settings;
  }

  /** Whether k6 is to read the body of the next response to this operation. */
  reads(operation: Operation): boolean {
    if (operation === 'create') return true;
    return this.#listCharacters === undefined
      ? this.#settings.keys <= FEW_KEYS
      : this.#listCharacters <= MOST_CHARACTERS;
  }

  /** What the body of a 200 or 201 shows; undefined where it was not read. @param name of the category that a creation sent. */
  read(operation: Operation, name: string, response: ReadResponse): BodyReading | undefined {
    if (operation === 'list') return response.status === 200 ? this.#listIn(response) : undefined;
    return response.status === 201 ? this.#categoryIn(response.body, name) : undefined;
  }

  #listIn({ body, headers }: ReadResponse): BodyReading | undefined {
    this.#listCharacters = body?.length ?? statedLength(headers);
    if (body === null || body.length > MOST_CHARACTERS) return undefined;
    if (body === this.#knownList) return LIST;
    // RFC 8259 §8.1: a reader may ignore a byte order mark.
    const parsed = parsedJson(body.replace(/^\uFEFF/, ''));
    if (parsed === undefined) return this.#wrong('not JSON', body);
    if (!Array.isArray(parsed) || !parsed.every(isCategory))
      return this.#wrong('no list of categories', body);
    this.#knownList = body;
    return LIST;
  }

  #categoryIn(body: string | null, name: string): BodyReading | undefined {
    if (body === null || body.length > MOST_CHARACTERS) return undefined;
    const parsed = parsedJson(body);
    if (parsed === undefined) return this.#wrong('not JSON', body);
    if (!isCategory(parsed)) return this.#wrong('no category', body);
    // A service may normalize a name, which is no matter of load; the name of another request is.
    const isOfAnother = parsed.name !== name && parsed.name.startsWith(namesOf(this.#settings.run));
    if (isOfAnother) return this.#wrong('category of another request', body);
    const id = idText(parsed.id);
    // Two ids that are shortened, or of which a part is hidden, may look alike.
    const isWhole =
      id !== undefined && id.length <= LONGEST_WORD && withoutSecrets(id, this.#settings.secrets) === id;
    return isWhole ? { kind: 'category', id } : { kind: 'category' };
  }

  #wrong(problem: (BodyReading & { readonly kind: 'wrong' })['problem'], body: string): BodyReading {
    return { kind: 'wrong', problem, excerpt: boundedText(body.slice(0, 200), this.#settings.secrets) };
  }
}

/** How long a body is that was not read; undefined where no header says so. A compressed one may be a thousand times as long as it says. */
function statedLength(headers: ReadResponse['headers']): number | undefined {
  if (headers['Content-Encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  const stated = Number(headers['Content-Length']);
  return Number.isNaN(stated) ? undefined : stated;
}

const LIST: BodyReading = { kind: 'list' };

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isCategory = (value: unknown): value is { readonly id: unknown; readonly name: string } =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'name' in value &&
  typeof value.name === 'string';

/** An id to compare; undefined for a number that JavaScript cannot hold exactly. */
const idText = (id: unknown): string | undefined =>
  typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : undefined;
