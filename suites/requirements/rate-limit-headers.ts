import { documented, fromCache, shown, withStatus } from '../judging/answers.ts';
import type { Evidence } from '../judging/evidence.ts';
import type { Judgement, Problem } from '../judging/judgement.ts';
import {
  doubt,
  fail,
  inconclusive,
  judgeEach,
  pass,
  unclear,
  violation,
  warn,
} from '../judging/judgement.ts';
import { name, quote } from '../judging/quote.ts';
import type { Requirement } from '../judging/requirement.ts';
import { drained, miscounted, uses } from '../judging/usage.ts';
import { excess, transitions } from '../limits/accounting.ts';
import { dayQuota } from '../limits/overrun.ts';
import { refusalScale } from '../limits/refusals.ts';
import { readingOf } from '../limits/series.ts';
import type { Answer, Exchange } from '../model/exchange.ts';
import { answerOf, dateOf, headerValues, rateReading, statusOf } from '../model/headers.ts';
import type { Limits } from '../model/journal.ts';
import { creations, firstCreation } from '../probes/creations.ts';
import { drain } from '../probes/drain.ts';
import { firstLook } from '../probes/first-look.ts';
import { probes } from '../probes/index.ts';
import { furtherPlans } from '../probes/other-callers.ts';
import { rejections } from '../probes/rejections.ts';
import { coldStrangers, strangers, warmStrangers } from '../probes/strangers.ts';

const NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** Judges that answers with these statuses carry the three headers, each once. */
function carries(
  id: 'RATE-1' | 'RATE-2' | 'RATE-3' | 'RATE-4',
  asks: Requirement['asks'],
  ...statuses: readonly number[]
): Requirement {
  const what = statuses.join(' and ');
  return {
    id,
    asks,
    matters: '"Every API response carries" them: a client that paces itself is blind without them.',
    judge: (evidence) =>
      judgeEach(counted(evidence, ...statuses), headerProblem, {
        good: `Every ${what} carries the three headers once`,
        none: evidence.whyNothing(...asks),
      }),
  };
}

/** The answers whose rate-limit headers are required; a cache's answer shows the headers of an older one. */
function counted(evidence: Evidence, ...statuses: readonly number[]): readonly Exchange[] {
  const refusals = statuses.includes(429) ? withStatus(evidence.exchanges, 429).filter(shown) : [];
  const others = documented(evidence, ...statuses.filter((status) => status !== 429));
  return [...others, ...refusals].filter((exchange) => !fromCache(exchange));
}

function headerProblem(exchange: Exchange): Problem | undefined {
  const headers = answerOf(exchange)?.headers ?? [];
  let repeated: Problem | undefined;
  for (const header of NAMES) {
    const values = headerValues(headers, header);
    if (values.length === 0)
      return violation(`Expected ${header}, but ${name(exchange)} (${statusOf(exchange)}) has none.`);
    if (values.length === 1) continue;
    const text = `Expected ${header} once, but ${name(exchange)} has it ${values.length} times: ${quote(values.join(', '))}.`;
    if (new Set(values).size > 1) return violation(text);
    repeated = doubt(text);
  }
  return repeated;
}

const ALL_STATUSES = [200, 201, 400, 401, 429] as const;
const every = (evidence: Evidence): readonly Exchange[] => counted(evidence, ...ALL_STATUSES);

/** The one value of a header; absence and contradiction are RATE-1 to RATE-4's business. */
function single(exchange: Exchange, header: (typeof NAMES)[number]): string | undefined {
  const values = new Set(headerValues(answerOf(exchange)?.headers ?? [], header));
  return values.size === 1 ? [...values][0] : undefined;
}

const WHOLE = /^[0-9]+$/;

/** Chapter "Rate-limit headers". */
export const rateLimitHeaders: readonly Requirement[] = [
  carries('RATE-1', [firstLook, firstCreation, creations], 200, 201),
  carries('RATE-2', [rejections], 400),
  carries('RATE-3', [coldStrangers, warmStrangers, strangers], 401),
  carries('RATE-4', [drain], 429),
  {
    id: 'RATE-5',
    asks: [...probes.filter(({ id }) => id !== furtherPlans.id), furtherPlans],
    matters: 'Clients size their pace by the Limit; a wrong one makes them too slow or gets them refused.',
    judge: (evidence) =>
      judgeEach(every(evidence), (exchange) => limitProblem(evidence, exchange), {
        good: 'Every Limit is a whole number and, for a known key, its plan’s',
        none: 'No answer carries X-RateLimit-Limit.',
      }),
  },
  {
    id: 'RATE-6',
    asks: probes,
    matters: 'A Remaining below zero or above the limit cannot be reckoned with.',
    judge: (evidence) =>
      judgeEach(every(evidence), remainingProblem, {
        good: 'Every Remaining is a whole number between 0 and Limit',
        none: 'No answer carries X-RateLimit-Remaining.',
      }),
  },
  {
    id: 'RATE-7',
    asks: probes,
    matters: 'A client plans its next requests by Remaining; one that does not follow its use misleads it.',
    judge: accounts,
  },
  {
    id: 'RATE-8',
    asks: [firstLook, drain],
    matters:
      'Remaining is a promise: whoever is refused although some were left cannot trust any of the headers.',
    judge: keepsPromise,
  },
  {
    id: 'RATE-9',
    asks: probes,
    matters:
      'Clients sleep until Reset; one in the past makes them hammer, one too far away makes them wait for nothing.',
    judge: (evidence) =>
      judgeEach(every(evidence), (exchange) => resetProblem(evidence, exchange), {
        good: 'Every Reset is a Unix timestamp inside the window that it describes',
        none: 'No answer carries X-RateLimit-Reset.',
      }),
  },
];

function limitProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const text = single(exchange, 'X-RateLimit-Limit');
  if (text === undefined) return unclear(`${name(exchange)} has no one X-RateLimit-Limit.`);
  if (!WHOLE.test(text))
    return violation(`Expected a whole number as Limit, but ${name(exchange)} has ${quote(text)}.`);
  const limits = planOf(evidence, exchange);
  if (limits === undefined || statusOf(exchange) === 401) return undefined;
  if (Number(text) === limits.perMinute || Number(text) === limits.perDay) return undefined;
  return violation(
    `Expected the Limit of the plan, ${limits.perMinute} for a minute or ${limits.perDay} for a day, but ${name(exchange)} has ${quote(text)}.`,
  );
}

/** The numbers of the plan that this caller is known to have. */
function planOf({ run }: Evidence, { caller }: Exchange): Limits | undefined {
  if (caller === 'key') return run.limits;
  return caller.startsWith('plan:') ? run.furtherPlans[caller.slice('plan:'.length)] : undefined;
}

function remainingProblem(exchange: Exchange): Problem | undefined {
  const text = single(exchange, 'X-RateLimit-Remaining');
  if (text === undefined) return unclear(`${name(exchange)} has no one X-RateLimit-Remaining.`);
  if (!WHOLE.test(text)) {
    return violation(
      `Expected a whole number from 0 as Remaining, but ${name(exchange)} has ${quote(text)}.`,
    );
  }
  const { limit } = rateReading(answerOf(exchange)?.headers ?? []);
  if (limit === undefined || Number(text) <= limit) return undefined;
  return violation(`Expected Remaining up to the Limit ${limit}, but ${name(exchange)} has ${quote(text)}.`);
}

/** A Unix timestamp in seconds lies between these from 2001 to 5138; milliseconds and seconds left do not. */
const FIRST_SECOND = 1e9;
const LAST_SECOND = 1e11;

/** How far clocks of one service may differ, in seconds: on one machine, and across a network. */
const LOCAL_SKEW = 2;
const REMOTE_SKEW = 5;

/** A local day has up to 25 hours. */
const LONGEST_DAY = 25 / 24;

function resetProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const text = single(exchange, 'X-RateLimit-Reset');
  if (text === undefined) return unclear(`${name(exchange)} has no one X-RateLimit-Reset.`);
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text) || Number(text) < FIRST_SECOND || Number(text) >= LAST_SECOND) {
    return violation(
      `Expected Reset as a Unix timestamp in seconds, but ${name(exchange)} has ${quote(text)}.`,
    );
  }
  const range = rangeProblem(evidence, exchange, Number(text));
  if (range !== undefined) return range;
  if (text.includes('.'))
    return doubt(`Expected whole seconds as Reset, but ${name(exchange)} has ${quote(text)}.`);
  return undefined;
}

function rangeProblem(evidence: Evidence, exchange: Exchange, reset: number): Problem | undefined {
  const answer = answerOf(exchange);
  const date = answer === undefined ? undefined : dateOf(answer);
  if (answer === undefined || date === undefined) return undefined;
  const skew = isLoopback(evidence.run.target.baseUrl) ? LOCAL_SKEW : REMOTE_SKEW;
  const took = (exchange.received.mono - exchange.sent.mono) / 1000;
  const ahead = reset - date;
  if (ahead < -1 - took - skew) {
    return violation(
      `Expected a Reset that is not past, but in ${name(exchange)} it lies ${-ahead} s before the answer’s own Date.`,
    );
  }
  const longest = longestWindow(evidence, exchange, answer) + 1 + skew;
  // A refusal may move Reset to the end of a penalty, whose length the specification leaves open.
  if (statusOf(exchange) === 429 || ahead <= longest) return undefined;
  return violation(
    `Expected a Reset within the window that Limit describes (at most ${Math.round(longest)} s ahead), but in ${name(exchange)} it lies ${Math.round(ahead)} s after the answer’s own Date.`,
  );
}

/** The length of the longest window that the answer may describe, in seconds. */
function longestWindow({ run }: Evidence, exchange: Exchange, answer: Answer): number {
  const known = exchange.caller === 'key' && statusOf(exchange) !== 401;
  const { limit } = rateReading(answer.headers);
  return known && limit === run.limits.perMinute
    ? run.limits.minuteSeconds
    : run.limits.daySeconds * LONGEST_DAY;
}

const isLoopback = (baseUrl: string): boolean => /^https?:\/\/(localhost|127\.|\[::1\])/.test(baseUrl);

function accounts(evidence: Evidence): Judgement {
  const found = evidence.fact(miscounted);
  if (found !== undefined) {
    const { explanation, exchanges } = found;
    switch (explanation.kind) {
      case 'each request costs several':
        return fail(
          `Expected Remaining to fall by no more than was used, but each ${explanation.of} takes ${explanation.cost} from it.`,
          exchanges,
        );
      case 'requests without the key are counted':
        return fail(
          'Expected Remaining to fall by the requests of this key, but requests without the key take from it, too.',
          exchanges,
        );
      case 'not counted':
        return fail(
          `Expected Remaining to fall with use, but ${explanation.unexplained} more are left than any window or bucket could have given back.`,
          exchanges,
        );
      case 'somebody else uses the key':
        return inconclusive(
          'Remaining fell by more than this run used: somebody else seems to use the key at the same time.',
          exchanges,
        );
      default:
        return inconclusive(
          `Remaining cannot be reckoned as one count: it follows ${explanation.kind === 'separate counters' ? `separate counters for each ${explanation.by}` : 'requests only as long as they come one by one'}, which another requirement judges.`,
          exchanges,
        );
    }
  }
  return accountsForDays(evidence);
}

/** Headers that describe the day are never fresh, so only a fall beyond use can be judged. */
function accountsForDays(evidence: Evidence): Judgement {
  const quota = dayQuota(evidence.run.limits);
  const changes = evidence.fact(uses).flatMap(({ series }) => transitions(series, quota.limit));
  const minutes = evidence
    .fact(uses)
    .flatMap(({ series }) => transitions(series, evidence.run.limits.perMinute));
  if (changes.some((change) => excess(change) > 0)) {
    return inconclusive(
      'Remaining of the day fell by more than this run used: somebody else seems to use the key.',
    );
  }
  const compared = changes.length + minutes.length;
  if (compared === 0)
    return inconclusive('No two answers to compare: their Limit or Remaining is unusable, or too few came.');
  return pass(`Remaining followed the requests in all ${compared} comparisons.`);
}

function keepsPromise(evidence: Evidence): Judgement {
  const use = drained(evidence);
  const refusal = use?.refusal;
  if (use === undefined || refusal === undefined)
    return inconclusive(`No 429 was seen. ${evidence.whyNothing(drain)}`);
  if (evidence.fact(miscounted)?.explanation.kind === 'somebody else uses the key') {
    return inconclusive('Somebody else seems to use the key, so a refusal may be theirs.', [
      refusal.exchange,
    ]);
  }
  for (const one of evidence.fact(uses)) {
    const broken = one.refusal === undefined ? undefined : brokenPromise(evidence, one, one.refusal);
    if (broken !== undefined) return broken;
  }
  return onRefusal(evidence, refusal.exchange);
}

type Reached = NonNullable<ReturnType<typeof drained>>;

/** A refusal right after an answer that still promised requests. */
function brokenPromise(
  evidence: Evidence,
  { series }: Reached,
  { step, exchange }: NonNullable<Reached['refusal']>,
): Judgement | undefined {
  const { limits } = evidence.run;
  const before = series[series.indexOf(step) - 1]?.reading;
  if (before === undefined || before.limit !== limits.perMinute) return undefined;
  // Requests sent at the same time are all promised only if as many were left, and each takes one.
  const many = step.exchanges.length > 1;
  const costly = evidence.fact(miscounted)?.explanation.kind === 'each request costs several';
  if (before.remaining < step.exchanges.length || (many && costly)) return undefined;
  const text = `Expected no refusal while requests are left, but ${name(before.exchange)} promised ${before.remaining} and ${name(exchange)} right after it answered 429.`;
  return byScale(evidence, exchange, text, [before.exchange, exchange]);
}

/** The wait that the refusal asks for tells whether it is about the minute at all. */
function byScale(
  evidence: Evidence,
  exchange: Exchange,
  text: string,
  cited: readonly Exchange[],
): Judgement {
  switch (refusalScale(exchange, evidence.run.limits)) {
    case 'window':
      return fail(text, cited);
    case 'next request':
      return warn(`${text} Its wait is so short that the limit may be enforced in smaller portions.`, cited);
    case 'longer':
      return inconclusive(
        `${text} Its wait is so long that another limit (a day, a penalty) must be the reason.`,
        cited,
      );
    case 'unknown':
      return inconclusive(
        `${text} It does not say how long to wait, so the reason may be another limit.`,
        cited,
      );
  }
}

function onRefusal(evidence: Evidence, exchange: Exchange): Judgement {
  const reading = readingOf(exchange);
  if (reading === undefined)
    return inconclusive(`The 429 of ${name(exchange)} has no usable Limit and Remaining.`, [exchange]);
  if (reading.limit !== evidence.run.limits.perMinute) {
    return pass(
      `The 429 describes the limit ${reading.limit}, not the minute; no promise about the minute was broken.`,
      [exchange],
    );
  }
  if (reading.remaining === 0) return pass('The last promise was kept, and the 429 says 0.', [exchange]);
  return byScale(
    evidence,
    exchange,
    `Expected Remaining 0 on a 429, but ${name(exchange)} says ${reading.remaining}.`,
    [exchange],
  );
}
