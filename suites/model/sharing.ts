import type { Body, Exchange, HeaderLine } from './exchange.ts';

/**
 * Keeps one object where a run says the same thing again. A target answers
 * hundreds of requests with the same list and the same headers: shared, they
 * take memory once, and a body is read as JSON once.
 */
export class Sharing {
  readonly #bodies = new Map<string, Body>();
  readonly #lines = new Map<string, Map<string, HeaderLine>>();
  readonly #texts = new Map<string, string>();

  /** The first body that was equal to this one. */
  body(body: Body): Body {
    const known = this.#bodies.get(body.text);
    if (known === undefined) this.#bodies.set(body.text, body);
    const { encoding, bytes, cut } = known ?? body;
    const equal = encoding === body.encoding && bytes === body.bytes && cut === body.cut;
    return equal ? (known ?? body) : body;
  }

  /** The same exchange, made of what others were made of. */
  exchange(exchange: Exchange): Exchange {
    const { kind, n, caller, connection, request, sent, received, outcome } = exchange;
    return {
      kind,
      n,
      probe: this.#text(exchange.probe),
      step: this.#text(exchange.step),
      caller,
      connection,
      request: {
        method: this.#text(request.method),
        target: this.#text(request.target),
        headers: this.#headers(request.headers),
        body: request.body === null ? null : this.body(request.body),
      },
      sent,
      received,
      outcome:
        outcome.kind === 'silence'
          ? outcome
          : { ...outcome, headers: this.#headers(outcome.headers), body: this.body(outcome.body) },
    };
  }

  #headers(lines: readonly HeaderLine[]): readonly HeaderLine[] {
    return lines.map((line) => this.#line(line));
  }

  #line(line: HeaderLine): HeaderLine {
    const [name, value] = line;
    const named = this.#lines.get(name) ?? new Map<string, HeaderLine>();
    if (named.size === 0) this.#lines.set(name, named);
    const known = named.get(value);
    if (known === undefined) named.set(value, line);
    return known ?? line;
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}
