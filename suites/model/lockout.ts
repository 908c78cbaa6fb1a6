import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf, headerValue, headerValues, statusOf } from '../../exchanges/headers.ts';
import { accepted, isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { RATE_HEADERS } from '../../exchanges/rate-headers.ts';
import { isHtml } from './target-reading.ts';

/**
 * A stretch in which the target, or what stands before it, rejected whatever came from this run, or from one kind of
 * caller, although it had answered equal requests otherwise. Such an answer is no rule about its request.
 */
export interface Lockout {
  readonly affects: 'everyone' | 'the key' | 'requests without a valid key';
  /** What was rejected in this stretch, in the order of sending. */
  readonly exchanges: readonly Exchange[];
  /** A request of the stretch … */
  readonly shows: Exchange;
  /** … and an equal one that had been answered otherwise. */
  readonly before: Exchange;
  /** What the run had sent that such a lockout may follow, in the order of sending. */
  readonly provoking: readonly Exchange[];
  /** Whether no later request of the same callers was answered otherwise. */
  readonly lasts: boolean;
}

/** The probe that gets a key banned on purpose: its exchanges are judged for themselves. */
const BANS_ON_PURPOSE = 'ban';

/** A stretch that begins here and ends again may be the limit itself, under another status. */
const REACHES_LIMIT = 'exhaust-quota';

/** Answers in a row that show a lockout. */
const FEWEST = 2;

/**
 * Every lockout that these exchanges show, by the first of its exchanges. Pure: what sends and what judges has the same
 * notion. A key that is rejected alone is locked out by the run only where the run sent requests without a valid key
 * since it was last accepted.
 */
export function lockoutsIn(exchanges: readonly Exchange[]): readonly Lockout[] {
  const sent = exchanges.filter(
    ({ caller, probe }) => (caller === 'key' || caller === 'unauthenticated') && probe !== BANS_ON_PURPOSE,
  );
  // Most runs have nothing of the kind, and this is read after every rejection.
  const equal = new Earlier(sent);
  const everyone = stretchesOf(sent).flatMap((found) => lockoutOfEveryone(found, sent, equal) ?? []);
  const explained = new Set(everyone.flatMap((one) => one.exchanges));
  const alone = (['unauthenticated', 'key'] as const).flatMap((caller) => {
    // A key in the wrong place may be locked out like the key itself.
    const own = sent.filter(
      (one) => one.caller === caller || (caller === 'key' && !equal.isUsualRejection(one)),
    );
    return stretchesOf(own)
      .filter((found) => !found.some((one) => explained.has(one)))
      .flatMap((found) => lockoutOf(caller, found, own, sent, equal) ?? []);
  });
  return [...everyone, ...alone].sort((a, b) => numberOf(a) - numberOf(b));
}

const numberOf = ({ exchanges }: Lockout): number => exchanges[0]?.n ?? 0;

type Stretch = readonly [Exchange, ...Exchange[]];

/** Rejections of one look, each stretch as long as possible. */
function stretchesOf(sent: readonly Exchange[]): readonly Stretch[] {
  const found: Stretch[] = [];
  let current: [Exchange, ...Exchange[]] | undefined;
  let look: string | undefined;
  for (const exchange of sent) {
    const own = lookOfRejection(exchange);
    if (own !== undefined && own === look) current?.push(exchange);
    else {
      current = own === undefined ? undefined : [exchange];
      if (current !== undefined) found.push(current);
    }
    look = own;
  }
  return found.filter(({ length }) => length >= FEWEST);
}

/** Failures of the service or of the way to it: they are about the moment. */
const FAILURES: ReadonlySet<number> = new Set([500, 501, 502, 504]);

/** Of exchanges whose look is known: it is asked of all of them after every further one. */
const looks = new WeakMap<Exchange, { readonly look: string | undefined }>();

/** What rejections of one origin have in common; undefined of what is no rejection. */
function lookOfRejection(exchange: Exchange): string | undefined {
  const known = looks.get(exchange) ?? { look: readLook(exchange) };
  looks.set(exchange, known);
  return known.look;
}

function readLook(exchange: Exchange): string | undefined {
  const { outcome } = exchange;
  // What cannot be read is an answer of its own, and HTTP-4 judges it.
  if (outcome.kind === 'no-response') return outcome.cause === 'malformed' ? undefined : 'no response';
  const { status, headers } = outcome;
  if (FAILURES.has(status) || (status < 400 && !(status < 300 && isHtml(outcome)))) return undefined;
  const type = headerValue(headers, 'Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  return `${status} ${type} ${hasRateHeaders(exchange)}`;
}

const hasRateHeaders = (exchange: Exchange): boolean =>
  RATE_HEADERS.some((name) => headerValues(answerOf(exchange)?.headers ?? [], name).length > 0);

/** The key and requests without one meet the same answer. */
function lockoutOfEveryone(found: Stretch, sent: readonly Exchange[], equal: Earlier): Lockout | undefined {
  const [first] = found;
  if (new Set(found.map(({ caller }) => caller)).size < 2) return undefined;
  // A limiter that counts by address limits requests without a key, too, and says so in the headers.
  if (isRateLimited(first) && hasRateHeaders(first)) return undefined;
  // A 401 that looks as usual tells nothing of requests without a valid key.
  const look = lookOfRejection(first);
  if (sent.some((one) => one.n < first.n && isUsual(one) && lookOfRejection(one) === look)) return undefined;
  const lasts = found.at(-1) === sent.at(-1);
  if (!lasts && (first.probe === REACHES_LIMIT || statusOf(first) === undefined)) return undefined;
  const pair = equal.pairIn(found.filter(({ caller }) => caller === 'key'));
  const provoking = provokingBefore(first, sent);
  if (pair === undefined || provoking.length === 0) return undefined;
  return { affects: 'everyone', exchanges: found, ...pair, provoking, lasts };
}

/** Statuses that a lockout of a key has. */
const REJECTS_KEY: ReadonlySet<number | undefined> = new Set([401, 403, 423]);

function lockoutOf(
  caller: 'unauthenticated' | 'key',
  found: Stretch,
  own: readonly Exchange[],
  sent: readonly Exchange[],
  equal: Earlier,
): Lockout | undefined {
  const [first] = found;
  const lasts = found.at(-1) === own.at(-1);
  const status = statusOf(first);
  const isDropped = status === undefined && lasts;
  const mayLockOut =
    isDropped || (caller === 'key' ? REJECTS_KEY.has(status) : ![undefined, 401, 429].includes(status));
  const pair = mayLockOut ? equal.pairIn(found.filter((one) => one.caller === caller)) : undefined;
  if (pair === undefined) return undefined;
  const provoking = provokingBefore(first, sent);
  if (caller === 'unauthenticated')
    return { affects: 'requests without a valid key', exchanges: found, ...pair, provoking, lasts };
  const worked = own.findLast((one) => one.caller === 'key' && one.n < first.n);
  const between = provoking.filter((one) => one.caller === 'unauthenticated' && one.n > (worked?.n ?? 0));
  if (between.length === 0) return undefined;
  // A firewall drops the packets of an address; it reads no key.
  return isDropped
    ? { affects: 'everyone', exchanges: found, ...pair, provoking, lasts }
    : { affects: 'the key', exchanges: found, ...pair, provoking: between, lasts };
}

/** What was rejected before, whatever for: limiters of failed logins and filters count it. */
const provokingBefore = (first: Exchange, sent: readonly Exchange[]): readonly Exchange[] =>
  sent.filter((one) => {
    const status = statusOf(one);
    return one.n < first.n && status !== undefined && status >= 400 && status < 500;
  });

/** Finds requests that equal an earlier one which the service answered as it answers them: with a success, or with 401. */
class Earlier {
  readonly #sent: readonly Exchange[];
  #answered: Map<string, Exchange> | undefined;
  #looks: ReadonlySet<string | undefined> | undefined;

  constructor(sent: readonly Exchange[]) {
    this.#sent = sent;
  }

  /** The first of these exchanges with an equal request before it, and that one. */
  pairIn(found: readonly Exchange[]): Pick<Lockout, 'shows' | 'before'> | undefined {
    this.#answered ??= this.#read();
    for (const shows of found) {
      const before = this.#answered.get(requestText(shows));
      if (before !== undefined && before.n < shows.n) return { shows, before };
    }
    return undefined;
  }

  /** Whether this looks like a 401 that requests without a valid key received. */
  isUsualRejection(exchange: Exchange): boolean {
    this.#looks ??= new Set(
      this.#sent.filter((one) => one.caller !== 'key' && isUsual(one)).map(lookOfRejection),
    );
    return this.#looks.has(lookOfRejection(exchange));
  }

  #read(): Map<string, Exchange> {
    const first = new Map<string, Exchange>();
    for (const exchange of this.#sent) {
      if (!isUsual(exchange)) continue;
      const text = requestText(exchange);
      if (!first.has(text)) first.set(text, exchange);
    }
    return first;
  }
}

/** Whether the service answered as it answers the key, or requests without one. */
const isUsual = (exchange: Exchange): boolean =>
  exchange.caller === 'key' ? accepted(exchange) : statusOf(exchange) === 401;

const requestText = ({ caller, request }: Exchange): string =>
  JSON.stringify([caller, request.method, request.target, request.headers, request.body?.text]);
