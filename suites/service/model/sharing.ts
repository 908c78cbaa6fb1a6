import { isDeepStrictEqual } from 'node:util';
import { judgedBytesOf } from '../../../kernel/exchanges/body.ts';
import type { Body, Exchange, HeaderLine, Request } from '../../../kernel/exchanges/exchange.ts';

/** Keeps one object where a run says the same thing again: it takes memory once, and a body is read as JSON once. */
export class Sharing {
  readonly #bodies = new Map<string, Body>();
  readonly #texts = new Map<string, string>();
  readonly #lines = new Map<string, Map<string, HeaderLine>>();
  #last: Exchange | undefined;
  #bodyBytes = 0;

  /** Bytes of memory that all different bodies take while they are judged. */
  get bodyBytes(): number {
    return this.#bodyBytes;
  }

  /** Whether a body with this text takes no more memory. */
  hasBody(text: string): boolean {
    return this.#bodies.has(text);
  }

  /** The first body that was equal to this one. */
  body<Kept extends Body>(body: Kept): Kept {
    const text = body.cut ? body.excerpt : body.text;
    const known = this.#bodies.get(text);
    if (known === undefined) {
      this.#bodies.set(text, body);
      this.#bodyBytes += judgedBytesOf(text);
    }
    const { encoding, bytes, cut } = known ?? body;
    const equal = encoding === body.encoding && bytes === body.bytes && cut === body.cut;
    // What is equal to a whole body is one, too.
    return equal ? ((known as Kept | undefined) ?? body) : body;
  }

  /** The same exchange, made of what others were made of. */
  exchange(exchange: Exchange): Exchange {
    const { outcome } = exchange;
    const shared: Exchange = {
      ...exchange,
      probe: this.#text(exchange.probe),
      step: this.#text(exchange.step),
      connection: equalOr(this.#last?.connection, exchange.connection),
      request: equalOr(this.#last?.request, this.#request(exchange.request)),
      outcome:
        outcome.kind === 'no-response'
          ? outcome
          : { ...outcome, headers: this.#headers(outcome.headers), body: this.body(outcome.body) },
    };
    this.#last = shared;
    return shared;
  }

  #text(text: string): string {
    return firstOf(this.#texts, text, () => text);
  }

  #request(request: Request): Request {
    const { headers, body } = request;
    return { ...request, headers: this.#headers(headers), body: body && this.body(body) };
  }

  #headers(lines: readonly HeaderLine[]): readonly HeaderLine[] {
    return lines.map((line) => {
      const [name, value] = line;
      const values = firstOf(this.#lines, name, () => new Map<string, HeaderLine>());
      return firstOf(values, value, () => line);
    });
  }
}

/** What is kept under this key; what is made where nothing was. */
function firstOf<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  const before = kept.get(key);
  if (before !== undefined) return before;
  const made = make();
  kept.set(key, made);
  return made;
}

/** What came before where it is equal, else the value. */
const equalOr = <T>(before: T | undefined, value: T): T =>
  before !== undefined && isDeepStrictEqual(before, value) ? before : value;
