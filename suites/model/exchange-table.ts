import type {
  Answer,
  Body,
  Exchange,
  HeaderLine,
  Instant,
  NoResponse,
  Request,
} from '../../exchanges/exchange.ts';

/** What of a request the one after it mostly repeats. */
type Asked = Pick<Exchange, 'probe' | 'step' | 'caller' | 'request'>;

/** Rows of a block: so many that a block costs little, and so few that an unfilled one does, too. */
const ROWS = 1024;

/** The numbers of a row, in their order; a moment takes two. */
const N = 0;
const CONNECTION = 1;
const FRESH = 2;
const SENT = 3;
const RECEIVED = 5;
/** The places of the header lines that are the row's own, as bits. */
const OWN_PLACES = 7;
/** Where the row's own lines end among those of its block; they begin where those of the row before end. */
const OWN_END = 8;
const NUMBERS = 9;

/** The most header lines of a row's own, beyond which its answer resembles no other. */
const MOST_OWN = 4;
/** Places that fit into the bits of a number. */
const MOST_PLACES = 31;

/** Rows, column by column. */
class Block {
  readonly asked: Asked[] = [];
  /** The response that the row's response resembles, or that there was none. */
  readonly models: Exchange['outcome'][] = [];
  readonly own: HeaderLine[] = [];
  readonly #numbers = new Float64Array(ROWS * NUMBERS);

  set(row: number, numbers: readonly number[]): void {
    this.#numbers.set(numbers, row * NUMBERS);
  }

  number(row: number, column: number): number {
    return this.#numbers[row * NUMBERS + column] ?? Number.NaN;
  }

  instant(row: number, column: number): Instant {
    return { wall: this.number(row, column), mono: this.number(row, column + 1) };
  }

  /** The header lines of the model, with the row's own in their places. */
  headers(row: number, model: Answer): readonly HeaderLine[] {
    const headers = model.headers.slice();
    let next = row === 0 ? 0 : this.number(row - 1, OWN_END);
    for (let places = this.number(row, OWN_PLACES); places !== 0; places &= places - 1) {
      headers[31 - Math.clz32(places & -places)] = this.own[next] as HeaderLine;
      next += 1;
    }
    return headers;
  }
}

/**
 * Keeps the exchanges of a long journal in little memory: what an exchange
 * repeats of the one before is kept once, by the identity of its parts (see
 * `Sharing`), and its numbers stand in columns. An exchange of the table is one
 * object for good, reads like any other and turns into the same JSON, but it
 * has no fields that a spread would copy, and all its parts but `request` and
 * the answer's `body` are made anew when they are asked for.
 */
export class ExchangeTable {
  #block = new Block();
  #rows = 0;
  #asked: Asked | undefined;
  #model: Answer | undefined;

  /** The same exchange, as a row of the table. */
  add(exchange: Exchange): Exchange {
    if (this.#rows === ROWS) {
      this.#block = new Block();
      this.#rows = 0;
    }
    const { n, connection, sent, received, outcome } = exchange;
    const [block, row] = [this.#block, this.#rows];
    block.asked.push(this.#send(exchange));
    const places = this.#place(outcome);
    block.set(row, [
      n,
      connection.id,
      Number(connection.fresh),
      sent.wall,
      sent.mono,
      received.wall,
      received.mono,
      places,
      block.own.length,
    ]);
    this.#rows += 1;
    return new Row(block, row);
  }

  #send({ probe, step, caller, request }: Exchange): Asked {
    const last = this.#asked;
    if (last?.probe === probe && last.step === step && last.caller === caller && last.request === request)
      return last;
    this.#asked = { probe, step, caller, request };
    return this.#asked;
  }

  /** Keeps an outcome in the block, and says in which places its header lines are its own. */
  #place(outcome: Exchange['outcome']): number {
    if (outcome.kind === 'no-response') {
      this.#block.models.push(outcome);
      return 0;
    }
    const own = this.#model === undefined ? undefined : ownLines(outcome, this.#model);
    if (own === undefined) this.#model = outcome;
    this.#block.models.push(this.#model ?? outcome);
    this.#block.own.push(...(own?.lines ?? []));
    return own?.places ?? 0;
  }
}

/** The header lines in which an answer differs from another one; undefined where it differs in more than a few. */
function ownLines(
  { status, headers, body, broken }: Answer,
  model: Answer,
): { readonly places: number; readonly lines: readonly HeaderLine[] } | undefined {
  if (status !== model.status || body !== model.body || broken !== model.broken) return undefined;
  if (headers.length !== model.headers.length || headers.length > MOST_PLACES) return undefined;
  let places = 0;
  const lines: HeaderLine[] = [];
  for (const [place, line] of headers.entries()) {
    if (line === model.headers[place]) continue;
    if (lines.push(line) > MOST_OWN) return undefined;
    places |= 1 << place;
  }
  return { places, lines };
}

/** One exchange of a table. */
class Row implements Exchange {
  readonly #block: Block;
  readonly #row: number;

  constructor(block: Block, row: number) {
    this.#block = block;
    this.#row = row;
  }

  get kind(): 'exchange' {
    return 'exchange';
  }

  get n(): number {
    return this.#block.number(this.#row, N);
  }

  get probe(): string {
    return asked(this.#block, this.#row).probe;
  }

  get step(): string {
    return asked(this.#block, this.#row).step;
  }

  get caller(): Exchange['caller'] {
    return asked(this.#block, this.#row).caller;
  }

  get connection(): Exchange['connection'] {
    return {
      id: this.#block.number(this.#row, CONNECTION),
      fresh: this.#block.number(this.#row, FRESH) === 1,
    };
  }

  get request(): Request {
    return asked(this.#block, this.#row).request;
  }

  get sent(): Instant {
    return this.#block.instant(this.#row, SENT);
  }

  get received(): Instant {
    return this.#block.instant(this.#row, RECEIVED);
  }

  get outcome(): Answer | NoResponse {
    const model = this.#block.models[this.#row] as Answer | NoResponse;
    return model.kind === 'no-response' ? model : new RowAnswer(this.#block, this.#row, model);
  }

  /** The exchange as plain data, for JSON. */
  toJSON(): Exchange {
    const { kind, n, probe, step, caller, connection, request, sent, received, outcome } = this;
    return { kind, n, probe, step, caller, connection, request, sent, received, outcome };
  }
}

const asked = (block: Block, row: number): Asked => block.asked[row] as Asked;

/** The answer of a row. Its header lines are put together when they are asked for: most judges look at the status alone. */
class RowAnswer implements Answer {
  readonly kind = 'answer';
  readonly status: number;
  readonly body: Body;
  declare readonly broken?: string;
  readonly #block: Block;
  readonly #row: number;
  readonly #model: Answer;

  constructor(block: Block, row: number, model: Answer) {
    this.status = model.status;
    this.body = model.body;
    if (model.broken !== undefined) this.broken = model.broken;
    this.#block = block;
    this.#row = row;
    this.#model = model;
  }

  get headers(): readonly HeaderLine[] {
    return this.#block.headers(this.#row, this.#model);
  }

  /** The answer as plain data, for JSON. */
  toJSON(): Answer {
    const { kind, status, headers, body, broken } = this;
    return { kind, status, headers, body, ...(broken === undefined ? {} : { broken }) };
  }
}
