import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { Quota } from '../../../kernel/rate-limits/quota.ts';
import type { Outcome, RequestHandler } from '../../../reference-server/service/message.ts';
import type { LimiterModel, ModelShape } from './limiters.ts';
import { limiterModel } from './limiters.ts';

/** What the specification leaves to a service: every combination of these values conforms. */
export interface ModelBehaviour {
  readonly shape: ModelShape;
  readonly quota: Quota;
  /** Whether requests with an invalid body count against the limit. */
  readonly rejected: 'counted' | 'not counted' | 'refunded';
  /** What Reset announces: when quota is next restored, or when the full quota is. */
  readonly reset: 'next' | 'full';
  readonly rounding: 'floor' | 'ceil' | 'floor and one';
  readonly retryAfter: 'exact' | 'one second more' | 'until Reset' | 'one window' | 'date';
  /** The limit that the headers describe. With stacked limiters a 429 may show another one than a 200. */
  readonly describedLimit: 'minute' | 'day' | 'day, and the minute on a 429';
  /** What the headers of a 401 advertise. */
  readonly unauthenticated: 'limited to 30' | 'full quota' | 'counted separately';
  /** The operations that the specification only names. */
  readonly optionalOperations: 'absent' | 'absent without headers' | 'present';
  readonly date: 'exact' | 'hours away' | 'absent';
  readonly headerCase: 'usual' | 'lower';
  /** How a category without a description is shown. */
  readonly description: 'omitted' | 'empty' | 'null';
}

const PER_DAY = 1000;
const DAY_MS = 86_400_000;

/**
 * A model of a conforming service, in some two hundred lines that share no code
 * with the suites or the reference server. A mistake in one of them therefore
 * shows as a difference. `now` is wall time, in milliseconds since the Unix epoch.
 */
export function modelService(
  behaviour: ModelBehaviour,
  keys: readonly string[],
  now: () => number,
): RequestHandler {
  const callers = new Map(keys.map((key) => [key, new ModelCaller(behaviour)]));
  const anonymous = new ModelCaller(behaviour);
  const categories: object[] = [];
  return (request) => {
    const auth = request.headers.find(([name]) => name === 'Authorization')?.[1] ?? '';
    const caller = callers.get(/^Bearer +(\S+)$/i.exec(auth)?.[1] ?? '');
    const at = now();
    if (caller === undefined)
      return response(behaviour, at, 401, error(401), anonymous.headersOfUnauthorized(at));
    const rateLimited = caller.headersIfExhausted(at);
    if (rateLimited !== undefined) return response(behaviour, at, 429, error(429), rateLimited);
    const { status, body } = route(request, behaviour, categories);
    const withoutHeaders = status === 404 && behaviour.optionalOperations === 'absent without headers';
    const headers = caller.count(at, status);
    return response(behaviour, at, status, body, withoutHeaders ? [] : headers);
  };
}

const error = (status: number) => ({ code: `E${status}`, message: 'no', status });

function route(
  { method, target, body }: Parameters<RequestHandler>[0],
  { optionalOperations, description }: ModelBehaviour,
  categories: object[],
): { readonly status: number; readonly body: unknown } {
  const path = target.split('?')[0] ?? '';
  if (!path.endsWith('/categories')) {
    return optionalOperations === 'present' ? { status: 200, body: [] } : { status: 404, body: error(404) };
  }
  if (method === 'GET') return { status: 200, body: [...categories].reverse() };
  const sent = parsed(body);
  if (sent === undefined) return { status: 400, body: error(400) };
  const absent = { omitted: {}, empty: { description: '' }, null: { description: null } }[description];
  const category = { id: categories.length + 1, ...absent, ...sent };
  categories.push(category);
  return { status: 201, body: category };
}

/** The fields of a new category; undefined where the body is no valid one. */
function parsed(body: Uint8Array | null) {
  try {
    const value: unknown = JSON.parse(Buffer.from(body ?? []).toString());
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const { name, description } = value as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || name.trim() === '') return undefined;
    if (description === undefined || description === null) return { name };
    return typeof description === 'string' ? { name, description } : undefined;
  } catch {
    return undefined;
  }
}

function response(
  { date, headerCase }: ModelBehaviour,
  at: number,
  status: number,
  body: unknown,
  rate: readonly HeaderLine[],
): Outcome {
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

/** The counters of one caller, and the headers that describe them. */
class ModelCaller {
  readonly #behaviour: ModelBehaviour;
  readonly #minute: LimiterModel;
  #today = 0;

  constructor(behaviour: ModelBehaviour) {
    this.#behaviour = behaviour;
    this.#minute = limiterModel(behaviour.shape, behaviour.quota);
  }

  /** The headers of a 429 response, or undefined where quota remains. */
  headersIfExhausted(at: number): readonly HeaderLine[] | undefined {
    if (this.#minute.available(at) >= 1) return undefined;
    const day = this.#behaviour.describedLimit === 'day';
    return [...this.#rate(at, day), ['Retry-After', this.#retryAfter(at)]];
  }

  /** Counts a request and returns its headers; a refund shows only in the next response. */
  count(at: number, status: number): readonly HeaderLine[] {
    const { rejected, describedLimit } = this.#behaviour;
    const succeeded = status < 400;
    const isCounted = succeeded || rejected !== 'not counted';
    if (isCounted) {
      this.#minute.count(at);
      this.#today += 1;
    }
    const headers = this.#rate(at, describedLimit !== 'minute');
    if (!succeeded && rejected === 'refunded') {
      this.#minute.refund();
      this.#today -= 1;
    }
    return headers;
  }

  /** The headers of a 401 response. A model service never rate-limits unauthenticated requests. */
  headersOfUnauthorized(at: number): readonly HeaderLine[] {
    const { unauthenticated, quota } = this.#behaviour;
    const limit = unauthenticated === 'limited to 30' ? 30 : quota.limit;
    if (unauthenticated === 'counted separately') this.#today += 1;
    const remaining = unauthenticated === 'full quota' ? limit : Math.max(0, limit - this.#today);
    return rateLines(limit, remaining, this.#seconds(at + quota.windowMs));
  }

  #rate(at: number, day: boolean): readonly HeaderLine[] {
    const { quota } = this.#behaviour;
    if (day) {
      const end = (Math.floor(at / DAY_MS) + 1) * DAY_MS;
      return rateLines(PER_DAY, Math.max(0, PER_DAY - this.#today), this.#seconds(end));
    }
    const remaining = Math.min(quota.limit, Math.max(0, Math.floor(this.#minute.available(at))));
    return rateLines(quota.limit, remaining, this.#seconds(this.#reset(at)));
  }

  #reset(at: number): number {
    return this.#behaviour.reset === 'next' ? this.#minute.nextAt(at) : this.#minute.fullAt(at);
  }

  #seconds(at: number): number {
    const { rounding, date } = this.#behaviour;
    const seconds = (at + (date === 'hours away' ? SKEW_MS : 0)) / 1000;
    return { floor: Math.floor(seconds), ceil: Math.ceil(seconds), 'floor and one': Math.floor(seconds) + 1 }[
      rounding
    ];
  }

  #retryAfter(at: number): string {
    const { retryAfter, quota, date } = this.#behaviour;
    const exact = this.#minute.waitSeconds(at);
    // Date is rounded down to the second, and the exact wait is added to that.
    const shown = Math.floor((at + (date === 'hours away' ? SKEW_MS : 0)) / 1000) + exact;
    const seconds = {
      exact,
      'one second more': exact + 1,
      'until Reset': Math.max(exact, Math.ceil((this.#reset(at) - at) / 1000)),
      'one window': Math.max(exact, Math.ceil(quota.windowMs / 1000)),
      date: exact,
    }[retryAfter];
    return retryAfter === 'date' && date !== 'absent'
      ? new Date(1000 * shown).toUTCString()
      : String(seconds);
  }
}

const rateLines = (limit: number, remaining: number, reset: number): readonly HeaderLine[] => [
  ['X-RateLimit-Limit', String(limit)],
  ['X-RateLimit-Remaining', String(remaining)],
  ['X-RateLimit-Reset', String(reset)],
];
