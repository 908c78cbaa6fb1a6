import { judgedBytesOf } from '../../../kernel/exchanges/body.ts';
import type { Body, Exchange, HeaderLine, Request } from '../../../kernel/exchanges/exchange.ts';

type Connection = Exchange['connection'];

/** Keeps one object where a run says the same thing again: it takes memory once, and a body is read as JSON once. */
export class Sharing {
  readonly #bodies = new Map<string, Body>();
  readonly #lines = new Map<string, HeaderLine>();
  readonly #texts = new Map<string, string>();
  #last: Exchange | undefined;
  #bodyBytes = 0;

  /** Bytes of memory that all different bodies take while they are judged. */
  get bodyBytes(): number {
    return this.#bodyBytes;
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
    const { kind, n, caller, sent, received, outcome } = exchange;
    this.#last = {
      kind,
      n,
      probe: kept(this.#texts, exchange.probe, exchange.probe),
      step: kept(this.#texts, exchange.step, exchange.step),
      caller,
      connection: this.#connection(exchange.connection),
      request: this.#request(exchange.request),
      sent,
      received,
      outcome:
        outcome.kind === 'no-response'
          ? outcome
          : {
              ...outcome,
              headers: this.#headers(outcome.headers, this.#answered),
              body: this.body(outcome.body),
            },
    };
    return this.#last;
  }

  #connection(connection: Connection): Connection {
    const last = this.#last?.connection;
    return last?.id === connection.id && last.fresh === connection.fresh ? last : connection;
  }

  /** Exhausting a quota is one request over and over: the one before is the only one worth comparing with. */
  #request(asked: Request): Request {
    const last = this.#last?.request;
    if (asked === last) return last;
    const { method, target, headers, body } = asked;
    const request = {
      method: kept(this.#texts, method, method),
      target: kept(this.#texts, target, target),
      headers: this.#headers(headers, last?.headers ?? []),
      body: body === null ? null : this.body(body),
    };
    const same =
      last?.method === request.method &&
      last.target === request.target &&
      last.body === request.body &&
      last.headers.length === request.headers.length &&
      last.headers.every((line, at) => line === request.headers[at]);
    return same ? last : request;
  }

  get #answered(): readonly HeaderLine[] {
    const outcome = this.#last?.outcome;
    return outcome?.kind === 'answer' ? outcome.headers : [];
  }

  /** Most lines are those that stood in the same places before, which is found out soonest. */
  #headers(lines: readonly HeaderLine[], before: readonly HeaderLine[]): readonly HeaderLine[] {
    return lines.map((line, at) => {
      const known = before[at];
      return known !== undefined && known[1] === line[1] && known[0] === line[0]
        ? known
        : kept(this.#lines, JSON.stringify(line), line);
    });
  }
}

/** What was kept first under this key; the value itself where nothing was. */
function kept<Value>(known: Map<string, Value>, key: string, value: Value): Value {
  const before = known.get(key);
  if (before === undefined) known.set(key, value);
  return before ?? value;
}
