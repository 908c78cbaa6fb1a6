import { firstFound, groupedBy, once } from '../../../kernel/exchanges/collections.ts';
import type { Caller, Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, headersOf, headerValue, statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted, isRateLimited, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import { hasRateHeaders } from '../../../kernel/exchanges/rate-headers.ts';
import { isAbsent, isHtml } from './target-reading.ts';

/** From one kind of caller or all, although equal requests were answered otherwise. Such an answer is no rule about its request. */
export interface Lockout {
  readonly affects: 'everyone' | 'the key' | 'requests without a valid key';
  /** What was rejected in this stretch, or got no response meanwhile, in the order of sending. */
  readonly exchanges: readonly Exchange[];
  /** How it was rejected first; undefined where nothing was answered any more. */
  readonly answered: Exchange | undefined;
  /** Undefined where the run got no other answer at all. */
  readonly pair: Pair | undefined;
  /** What the run had sent that such a lockout may follow, in the order of sending. */
  readonly provoking: readonly Exchange[];
  /** Whether no later request of the same callers was answered otherwise. */
  readonly lasts: boolean;
}

/** The probe that gets a key banned on purpose: its exchanges are judged for themselves. */
const BANS_ON_PURPOSE = 'ban';

/** A stretch that begins here and ends again may be the limit itself, under another status. */
const REACHES_LIMIT = 'exhaust-quota';

/** Answers of one form, or requests without a response, that show a lockout. */
const FEWEST = 2;

/** What sends and what judges has this one notion. A rejected key alone counts only behind requests without a valid key. */
export function lockoutsIn(exchanges: readonly Exchange[]): readonly Lockout[] {
  const sent = exchanges.filter((one) => one.probe !== BANS_ON_PURPOSE && mayShow(one));
  const barred = barredFromTheStart(sent);
  if (barred !== undefined) return [barred];
  const found: Lockout[] = [];
  const explained = new Set<Exchange>();
  const kinds = (['everyone', 'requests without a valid key', 'the key'] as const).map(
    (affects) => [affects, sentBy(affects, sent)] as const,
  );
  for (const stretchesOf of [rejectedAlike, unansweredEnd]) {
    for (const [affects, own] of kinds) {
      for (const stretch of stretchesOf(own, sent)) {
        if (stretch.exchanges.some((one) => explained.has(one))) continue;
        const lockout = lockoutOf(affects, stretch, sent);
        if (lockout === undefined) continue;
        found.push(lockout);
        for (const one of lockout.exchanges) explained.add(one);
      }
    }
  }
  return found.sort((a, b) => numberOf(a) - numberOf(b));
}

/** Whether a request shows whether the run is locked out; one in a presentation that is left open shows it by its rejection. */
const mayShow = (exchange: Exchange): boolean =>
  exchange.caller === 'key' ||
  exchange.caller === 'unauthenticated' ||
  (exchange.caller === 'unspecified' && formOfRejection(exchange) !== undefined);

/** A page, or a 403 without rate-limit headers, in answer to everything. A page with 401, 429 or 503 may be the service's. */
function barredFromTheStart(sent: readonly Exchange[]): Lockout | undefined {
  const answered = sent.find((one) => !isLost(one));
  const answer = answered && answerOf(answered);
  const form = answered && formOfRejection(answered);
  if (answered === undefined || answer === undefined || form === undefined) return undefined;
  const isOfService = answer.status === 401 || isRateLimited(answered) || hasRateHeaders(answered);
  if (isOfService || unavailable(answered) || isAbsent(answered)) return undefined;
  if (answer.status !== 403 && !isHtml(answered)) return undefined;
  if (sent.some((one) => !isLost(one) && formOfRejection(one) !== form)) return undefined;
  const callers = new Set(sent.map(({ caller }) => caller));
  if (!callers.has('key') || !callers.has('unauthenticated')) return undefined;
  return { affects: 'everyone', exchanges: sent, answered, pair: undefined, provoking: [], lasts: true };
}

const numberOf = ({ exchanges }: Lockout): number => exchanges[0]?.n ?? 0;

/** What a lockout of this kind concerns. A key in the wrong place may be locked out like the key itself. */
function sentBy(affects: Lockout['affects'], sent: readonly Exchange[]): readonly Exchange[] {
  if (affects === 'everyone') return sent;
  if (affects === 'requests without a valid key') return sent.filter((one) => one.caller !== 'key');
  const isUsualRejection = (one: Exchange): boolean => usualRejections(sent).has(formOfRejection(one));
  return sent.filter((one) => one.caller === 'key' || (carriesKey(one) && !isUsualRejection(one)));
}

export const carriesKey = (exchange: Exchange): boolean => requestText(exchange).includes('[key');

interface Stretch {
  readonly exchanges: readonly [Exchange, ...Exchange[]];
  readonly answered: Exchange | undefined;
  /** Whether nothing follows. */
  readonly lasts: boolean;
}

/** Each stretch as long as possible. A lost response ends none, nor does a 429: the limiter may come before what locks out. */
function rejectedAlike(all: readonly Exchange[]): readonly Stretch[] {
  const own = all.filter((one) => !isRateLimited(one) || !hasRateHeaders(one));
  const found: [Exchange, ...Exchange[]][] = [];
  let current: Exchange[] | undefined;
  let form: string | undefined;
  for (const exchange of own) {
    const next = isLost(exchange) ? form : formOfRejection(exchange);
    const continues = isLost(exchange) || (next !== undefined && (form ?? next) === next);
    if (continues && current !== undefined) current.push(exchange);
    else if (continues || next !== undefined) {
      const begun: [Exchange, ...Exchange[]] = [exchange];
      current = begun;
      found.push(begun);
    } else current = undefined;
    form = next;
  }
  return found.flatMap((exchanges) => {
    const [answered, ...more] = exchanges.filter((one) => !isLost(one));
    const lasts = exchanges.at(-1) === own.at(-1);
    return more.length + 1 < FEWEST ? [] : { exchanges, answered, lasts };
  });
}

/** What got no response until the end, with the answer before it where the target had never answered so: nothing shows what that is about. */
function unansweredEnd(own: readonly Exchange[], sent: readonly Exchange[]): readonly Stretch[] {
  const at = own.findLastIndex((one) => !isLost(one));
  if (own.length - at - 1 < FEWEST) return [];
  const last = own[at];
  const form = last === undefined ? undefined : formOfRejection(last);
  const isNew = form !== undefined && sent.every((one) => one === last || formOfRejection(one) !== form);
  const [first, ...more] = own.slice(isNew ? at : at + 1);
  return first === undefined ? [] : [{ exchanges: [first, ...more], answered: undefined, lasts: true }];
}

/** Without a response. What cannot be read is an answer of its own, and HTTP-4 judges it. */
const isLost = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'no-response' && outcome.cause !== 'malformed';

/** Failures of the service or of the way to it: they are about the moment. */
const FAILURES: ReadonlySet<number> = new Set([500, 501, 502, 504]);

/** What rejections of one origin have in common; undefined of what is no rejection. */
export function formOfRejection(exchange: Exchange): string | undefined {
  const status = statusOf(exchange);
  if (status === undefined || FAILURES.has(status)) return undefined;
  return status >= 400 || (status < 300 && isHtml(exchange)) ? formOf(exchange) : undefined;
}

/** Kept, because it is asked again after every further exchange. */
const formOf = once((exchange: Exchange) => {
  const type = headerValue(headersOf(exchange), 'Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  return `${statusOf(exchange)} ${type} ${hasRateHeaders(exchange)}`;
});

export const REJECTS_KEY: ReadonlySet<number | undefined> = new Set([401, 403, 423]);

function lockoutOf(
  affects: Lockout['affects'],
  stretch: Stretch,
  sent: readonly Exchange[],
): Lockout | undefined {
  const { exchanges, answered, lasts } = stretch;
  const { n } = answered ?? exchanges[0];
  // A request whose response was lost shows nothing where others were answered.
  const showing = answered === undefined ? exchanges : exchanges.filter((one) => !isLost(one));
  const of = (caller: Caller): readonly Exchange[] => showing.filter((one) => one.caller === caller);
  const [keyed, others] = [of('key'), of('unauthenticated')];
  if (affects === 'everyone' && (keyed.length === 0 || others.length === 0)) return undefined;
  // The whole run is looked at last: nearly every stretch is decided before.
  if (answered !== undefined && !mayReject[affects](answered, stretch, sent)) return undefined;
  const shown = { everyone: [...keyed, ...others], 'the key': keyed, 'requests without a valid key': others };
  const pair = pairIn(shown[affects], sent);
  if (pair === undefined) return undefined;
  const worked = sent.findLast((one) => one.caller === 'key' && one.n < n && accepted(one));
  const rejected = sent.filter((one) => one.n < n && isRejected(one));
  const isSince = (one: Exchange): boolean =>
    one.caller === 'unauthenticated' && one.n > (worked?.n ?? 0) && one.n < n;
  // The last of them may have been the one whose response was lost.
  if (rejected.length === 0 || (affects === 'the key' && !sent.some(isSince))) return undefined;
  const isAlone = affects === 'requests without a valid key';
  if (isAlone && rejectsUnkeyed(answered) && !hasRateHeaders(pair.otherwise)) return undefined;
  // A firewall drops the packets of an address; it reads no key.
  const whom = answered === undefined && affects === 'the key' ? 'everyone' : affects;
  const since = whom === 'the key' ? rejected.filter(isSince) : [];
  const provoking = since.length > 0 ? since : rejected;
  return { affects: whom, exchanges, answered, pair, provoking, lasts };
}

const mayReject: Readonly<
  Record<Lockout['affects'], (answered: Exchange, shown: Stretch, sent: readonly Exchange[]) => boolean>
> = {
  everyone(answered, { exchanges: [first], lasts }, sent) {
    // A limiter that counts by address limits requests without a key, too, and says so in the headers.
    if (isRateLimited(answered) && hasRateHeaders(answered)) return false;
    if (!lasts && first.probe === REACHES_LIMIT) return false;
    // A 401 that looks as usual tells nothing of requests without a valid key.
    const form = formOfRejection(answered);
    return !sent.some((one) => one.n < first.n && isUsual(one) && formOfRejection(one) === form);
  },
  // A 401 or a 429 without the headers that the service sends comes from what stands before it.
  'requests without a valid key': (answered) => !rejectsUnkeyed(answered) || !hasRateHeaders(answered),
  'the key': (answered) => REJECTS_KEY.has(statusOf(answered)),
};

/** Whether it has a status with which the service itself rejects requests without a valid key. */
const rejectsUnkeyed = (answered: Exchange | undefined): boolean =>
  answered !== undefined && [401, 429].includes(statusOf(answered) ?? 0);

/** What was rejected, whatever for: limiters of failed logins and filters count it. */
function isRejected(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return status >= 400 && status < 500;
}

interface Pair {
  readonly shows: Exchange;
  readonly otherwise: Exchange;
}

/** By what was requested, the first answer of each form that the service gives. */
const usualAnswers = once(
  (sent: readonly Exchange[]) =>
    new Map(
      [...groupedBy(sent.filter(isUsual), requestText)].map(([text, all]) => [
        text,
        [...groupedBy(all, formOfRejection).values()].map(([first]) => first),
      ]),
    ),
);

/** The first of these exchanges with an equal request that was answered otherwise, and that one. */
function pairIn(found: readonly Exchange[], sent: readonly Exchange[]): Pair | undefined {
  return firstFound(found, (shows) => {
    const form = formOfRejection(shows);
    const equal = usualAnswers(sent).get(requestText(shows));
    const otherwise = equal?.find((one) => isLost(shows) || formOfRejection(one) !== form);
    return otherwise && { shows, otherwise };
  });
}

/** How requests without a valid key received 401. */
const usualRejections = once(
  (sent: readonly Exchange[]) =>
    new Set(sent.filter((one) => one.caller !== 'key' && isUsual(one)).map(formOfRejection)),
);

/** Whether the service answered as it answers the key, or requests without one. */
const isUsual = (exchange: Exchange): boolean =>
  exchange.caller === 'key'
    ? accepted(exchange)
    : exchange.caller === 'unauthenticated' && statusOf(exchange) === 401;

const requestText = once(({ caller, request: { method, target, headers, body } }: Exchange) =>
  JSON.stringify([caller, method, target, headers, body?.text]),
);
