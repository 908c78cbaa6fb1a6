import type { KeyAlias, Operation } from '../model/profile.ts';
import type { BodyReading } from '../model/sample.ts';
import { boundedText } from './header-text.ts';

/** Longer bodies are not read, in characters: a list of thousands, read for each request, would take what the requests need. */
const MOST_CHARACTERS = 16 * 1024;

/** With more keys, a list is only read where the response before it stated a short one: k6 holds every body in memory that it reads. */
const FEW_KEYS = 10;

/** The categories that a run creates begin with this. @param run unique for each run. */
const namesOf = (run: string): string => `load-${run}-`;

/** The name of the category that a request creates, unique in its run. @param n the position of the request, from 1. */
export const categoryName = (run: string, key: KeyAlias, n: number): string => `${namesOf(run)}${key}-${n}`;

/** What a reader has to know of its run. */
export interface BodyReaderSettings {
  /** Unique for each run. */
  readonly run: string;
  /** How many keys the run has. */
  readonly keys: number;
  /** What no sample may contain. */
  readonly secrets: readonly string[];
}

/** What a reader has to know of a response. */
export interface ReadResponse {
  readonly status: number;
  /** Null where k6 did not read it. */
  readonly body: string | null;
  /** The value of `Content-Length`; undefined where there is none. */
  readonly contentLength: string | undefined;
  /** The value of `Content-Encoding`, likewise. */
  readonly contentEncoding: string | undefined;
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

  #listIn({ body, contentLength, contentEncoding }: ReadResponse): BodyReading | undefined {
    // A compressed body may be a thousand times as long as it says.
    const stated = contentEncoding === undefined ? Number(contentLength) : Number.POSITIVE_INFINITY;
    this.#listCharacters = body?.length ?? (Number.isNaN(stated) ? undefined : stated);
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
    const isWhole = id !== undefined && boundedText(id, this.#settings.secrets) === id;
    return isWhole ? { kind: 'category', id } : { kind: 'category' };
  }

  #wrong(problem: (BodyReading & { readonly kind: 'wrong' })['problem'], body: string): BodyReading {
    return { kind: 'wrong', problem, excerpt: boundedText(body.slice(0, 200), this.#settings.secrets) };
  }
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
