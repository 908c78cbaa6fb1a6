import { judgedBytesOf } from '../../../kernel/exchanges/body.ts';
import type { Body, Exchange, HeaderLine } from '../../../kernel/exchanges/exchange.ts';

/** Keeps one object where a run says the same thing again: it takes memory once, and a body is read as JSON once. */
export class Sharing {
  readonly #bodies = new Map<string, Body>();
  readonly #values = new Map<string, unknown>();
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
    const { probe, step, connection, request, outcome } = exchange;
    return {
      ...exchange,
      probe: this.#shared(probe),
      step: this.#shared(step),
      connection: this.#shared(connection),
      request: this.#shared({
        ...request,
        headers: this.#headers(request.headers),
        body: request.body && this.body(request.body),
      }),
      outcome:
        outcome.kind === 'no-response'
          ? outcome
          : { ...outcome, headers: this.#headers(outcome.headers), body: this.body(outcome.body) },
    };
  }

  #headers(lines: readonly HeaderLine[]): readonly HeaderLine[] {
    return lines.map((line) => this.#shared(line));
  }

  #shared<Value>(value: Value): Value {
    const text = JSON.stringify(value);
    const known = this.#values.get(text) as Value | undefined;
    if (known === undefined) this.#values.set(text, value);
    return known ?? value;
  }
}
