import type { HeaderLine } from '../../../exchanges/exchange.ts';
import type { LimiterModel, ModelQuota, ModelShape } from './limiters.ts';
import { limiterModel } from './limiters.ts';

/** The honest readings of the specification that a service may take; everything else here is as it says. */
export interface Manner {
  readonly shape: ModelShape;
  readonly quota: ModelQuota;
  readonly rejected: 'count' | 'are free' | 'are refunded';
  /** What Reset tells: when something comes back, or when everything has. */
  readonly reset: 'next' | 'full';
  readonly rounding: 'floor' | 'ceil' | 'floor and one';
  readonly retryAfter: 'exact' | 'a second more' | 'until Reset' | 'a whole window' | 'date';
  /** Which limit the headers describe: with stacked limiters a 429 may show another one than a 200. */
  readonly describes: 'minute' | 'day' | 'day, and the minute on a 429';
  readonly unauthenticated: 'have a limit of 30' | 'see an untouched limit' | 'are counted apart';
  readonly named: 'absent' | 'absent without headers' | 'there';
  readonly date: 'exact' | 'hours away' | 'absent';
  readonly headerCase: 'usual' | 'lower';
  readonly description: 'omitted' | 'empty' | 'null';
}

/** A request as the model service takes it. */
export interface ModelRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Uint8Array | null;
}

/** An answer of the model service. */
export interface ModelResponse {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly body: Uint8Array;
}

const PER_DAY = 1000;
const DAY_MS = 86_400_000;

/**
 * A third witness beside the reference server: the specification in a hundred
 * lines, under every manner that conforms. `now` is wall time, milliseconds
 * since the Unix epoch.
 */
export function modelService(
  manner: Manner,
  keys: readonly string[],
  now: () => number,
): (request: ModelRequest) => ModelResponse {
  const callers = new Map(keys.map((key) => [key, new Caller(manner)]));
  const anonymous = new Caller(manner);
  const categories: object[] = [];
  return (request) => {
    const auth = request.headers.find(([name]) => name === 'Authorization')?.[1] ?? '';
    const caller = callers.get(/^Bearer +(\S+)$/i.exec(auth)?.[1] ?? '');
    const at = now();
    if (caller === undefined) return response(manner, at, 401, error(401), anonymous.unauthenticated(at));
    const limited = caller.exceeds(at);
    if (limited !== undefined) return response(manner, at, 429, error(429), limited);
    const { status, body } = route(request, manner, categories);
    const bare = status === 404 && manner.named === 'absent without headers';
    const headers = caller.counts(at, status);
    return response(manner, at, status, body, bare ? [] : headers);
  };
}

const error = (status: number) => ({ code: `E${status}`, message: 'no', status });

function route(
  { method, target, body }: ModelRequest,
  { named, description }: Manner,
  categories: object[],
): { readonly status: number; readonly body: unknown } {
  const path = target.split('?')[0] ?? '';
  if (!path.endsWith('/categories')) {
    return named === 'there' ? { status: 200, body: [] } : { status: 404, body: error(404) };
  }
  if (method === 'GET') return { status: 200, body: [...categories].reverse() };
  const sent = parsed(body);
  if (sent === undefined) return { status: 400, body: error(400) };
  const none = { omitted: {}, empty: { description: '' }, null: { description: null } }[description];
  const category = { id: categories.length + 1, name: sent.name, ...none, ...described(sent) };
  categories.push(category);
  return { status: 201, body: category };
}

interface NewCategory {
  readonly name: string;
  readonly description: string | undefined;
}

const described = ({ description }: NewCategory) => (description === undefined ? {} : { description });

function parsed(body: Uint8Array | null): NewCategory | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body ?? []).toString());
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const { name, description } = value as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || name.trim() === '') return undefined;
    if (description === undefined || description === null) return { name, description: undefined };
    return typeof description === 'string' ? { name, description } : undefined;
  } catch {
    return undefined;
  }
}

function response(
  { date, headerCase }: Manner,
  at: number,
  status: number,
  body: unknown,
  rate: readonly HeaderLine[],
): ModelResponse {
  const shown = at + (date === 'hours away' ? SKEW_MS : 0);
  const headers: HeaderLine[] = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ...(date === 'absent' ? [] : ([['Date', new Date(shown).toUTCString()]] as const)),
    ...(status === 401 ? ([['WWW-Authenticate', 'Bearer']] as const) : []),
    ...rate,
  ];
  const cased = headers.map(
    ([name, value]): HeaderLine => [headerCase === 'lower' ? name.toLowerCase() : name, value],
  );
  return { kind: 'response', status, headers: cased, body: Buffer.from(JSON.stringify(body)) };
}

const SKEW_MS = 7 * 3_600_000;

/** One caller's count and how the service tells of it. */
class Caller {
  readonly #manner: Manner;
  readonly #minute: LimiterModel;
  #today = 0;

  constructor(manner: Manner) {
    this.#manner = manner;
    this.#minute = limiterModel(manner.shape, manner.quota);
  }

  /** The headers of a refusal, or undefined where there is room. */
  exceeds(at: number): readonly HeaderLine[] | undefined {
    if (this.#minute.free(at) >= 1) return undefined;
    const day = this.#manner.describes === 'day';
    return [...this.#rate(at, day), ['Retry-After', this.#retryAfter(at)]];
  }

  /** Counts a request and tells what is left; a refund shows only in the answer after it. */
  counts(at: number, status: number): readonly HeaderLine[] {
    const { rejected, describes } = this.#manner;
    const succeeded = status < 400;
    const taken = succeeded || rejected !== 'are free';
    if (taken) {
      this.#minute.spend(at);
      this.#today += 1;
    }
    const headers = this.#rate(at, describes !== 'minute');
    if (!succeeded && rejected === 'are refunded') {
      this.#minute.refund();
      this.#today -= 1;
    }
    return headers;
  }

  /** What somebody without a key is told; it is never refused here. */
  unauthenticated(at: number): readonly HeaderLine[] {
    const { unauthenticated, quota } = this.#manner;
    const own = unauthenticated === 'have a limit of 30' ? 30 : quota.limit;
    if (unauthenticated === 'are counted apart') this.#today += 1;
    const left = unauthenticated === 'see an untouched limit' ? own : Math.max(0, own - this.#today);
    return rateLines(own, left, this.#seconds(at + quota.windowMs));
  }

  #rate(at: number, day: boolean): readonly HeaderLine[] {
    const { quota } = this.#manner;
    if (day) {
      const end = (Math.floor(at / DAY_MS) + 1) * DAY_MS;
      return rateLines(PER_DAY, Math.max(0, PER_DAY - this.#today), this.#seconds(end));
    }
    const left = Math.min(quota.limit, Math.max(0, Math.floor(this.#minute.free(at))));
    return rateLines(quota.limit, left, this.#seconds(this.#reset(at)));
  }

  /** A bucket of pieces that do not divide the limit is full only after its window; Reset may not say so (RATE-9). */
  #reset(at: number): number {
    const { reset, quota } = this.#manner;
    const moment = reset === 'next' ? this.#minute.next(at) : this.#minute.full(at);
    return Math.min(moment, at + quota.windowMs);
  }

  #seconds(at: number): number {
    const { rounding, date } = this.#manner;
    const seconds = (at + (date === 'hours away' ? SKEW_MS : 0)) / 1000;
    return { floor: Math.floor(seconds), ceil: Math.ceil(seconds), 'floor and one': Math.floor(seconds) + 1 }[
      rounding
    ];
  }

  #retryAfter(at: number): string {
    const { retryAfter, quota, date } = this.#manner;
    const accepts = this.#minute.accepts(at);
    const exact = Math.ceil((accepts - at) / 1000);
    switch (retryAfter) {
      case 'exact':
        return String(exact);
      case 'a second more':
        return String(exact + 1);
      case 'until Reset':
        return String(Math.max(exact, Math.ceil((this.#reset(at) - at) / 1000)));
      case 'a whole window':
        return String(Math.max(exact, Math.ceil(quota.windowMs / 1000)));
      case 'date': {
        const shown = at + (date === 'hours away' ? SKEW_MS : 0);
        // Date is cut to the second, so the moment has to be one second more than cut.
        return date === 'absent'
          ? String(exact)
          : new Date(Math.floor(shown / 1000) * 1000 + exact * 1000).toUTCString();
      }
    }
  }
}

const rateLines = (limit: number, remaining: number, reset: number): readonly HeaderLine[] => [
  ['X-RateLimit-Limit', String(limit)],
  ['X-RateLimit-Remaining', String(remaining)],
  ['X-RateLimit-Reset', String(reset)],
];
