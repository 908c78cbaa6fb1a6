import { shown } from '../judging/answers.ts';
import type { Evidence } from '../judging/evidence.ts';
import type { Judgement } from '../judging/judgement.ts';
import { fail, inconclusive, notTested, pass, warn } from '../judging/judgement.ts';
import { count, fate, name, seconds } from '../judging/quote.ts';
import type { Observable, Requirement } from '../judging/requirement.ts';
import type { Use } from '../judging/usage.ts';
import { drained, miscounted, showsMinute, uses } from '../judging/usage.ts';
import type { Transition } from '../limits/accounting.ts';
import { changesOf, cited, gain, isJump, transitions, unlawfulGain } from '../limits/accounting.ts';
import type { Overrun } from '../limits/overrun.ts';
import { minuteQuota, overrun } from '../limits/overrun.ts';
import { refusalScale, refusalSeconds, resetSeconds } from '../limits/refusals.ts';
import { accepted, ofKey, readingOf, refused, stepsOf } from '../limits/series.ts';
import type { Exchange } from '../model/exchange.ts';
import { answerOf, headerValue, rateReading, retryAfter, statusOf } from '../model/headers.ts';
import type { Limits } from '../model/journal.ts';
import { firstBatch, firstCreation, secondBatch } from '../probes/creations.ts';
import { drain } from '../probes/drain.ts';
import { firstLook } from '../probes/first-look.ts';
import { identities, otherOperations } from '../probes/open-questions.ts';
import { DOUBT, otherCaller, otherCallerAgain, spentDay, WHILE_EXHAUSTED } from '../probes/other-callers.ts';
import { recovery, refill } from '../probes/recovery.ts';
import { inferAlgorithm } from './algorithm.ts';

const FAIRNESS = 'The limit is what the plan sells, and what keeps one caller from taking everybody’s share.';
const DRAINS = [firstLook, drain] as const;

/** Chapter "Limit enforcement". */
export const limitEnforcement: readonly Requirement[] = [
  { id: 'LIMIT-1', asks: DRAINS, matters: FAIRNESS, judge: refusesBeyond },
  {
    id: 'LIMIT-2',
    asks: DRAINS,
    matters: 'Whoever is refused within the limit does not get what the plan promises.',
    judge: acceptsWithin,
  },
  {
    id: 'LIMIT-3',
    asks: DRAINS,
    matters: 'Clients back off on 429 and on nothing else; another refusal makes them fail or hammer.',
    judge: refusesWith429,
  },
  {
    id: 'LIMIT-4',
    asks: [...DRAINS, recovery, refill],
    matters: 'A window of another length is another limit than the plan’s.',
    judge: lastsAMinute,
  },
  {
    id: 'LIMIT-5',
    asks: [firstLook, firstCreation, otherOperations, drain],
    matters: 'With a limit for each operation a caller gets several times the plan.',
    judge: (evidence) => oneCounter(evidence, 'operation', operationsSeen),
  },
  {
    id: 'LIMIT-6',
    asks: [firstLook, firstBatch, secondBatch, drain],
    matters: 'Real clients send at the same time; a limit that only holds in single file does not hold.',
    judge: holdsUnderConcurrency,
  },
  {
    id: 'LIMIT-7',
    asks: [firstLook, drain, otherCaller, otherCallerAgain],
    matters: 'One busy customer must not shut out another.',
    judge: isolatesCallers,
  },
  {
    id: 'LIMIT-8',
    asks: [firstLook, firstBatch, identities, drain],
    matters: 'A limit that follows what the client can change at will limits nobody.',
    judge: followsTheKey,
  },
  {
    id: 'LIMIT-9',
    asks: [spentDay],
    matters: 'The limit of the day is the other half of every plan.',
    judge: enforcesTheDay,
  },
];

/** The first proof in any stretch that more was accepted than the plan allows. */
function overran(evidence: Evidence): Overrun | undefined {
  const { limits } = evidence.run;
  for (const { series, untouched } of evidence.fact(uses)) {
    const found = untouched || !showsMinute(evidence) ? overrun(series, limits) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function refusesBeyond(evidence: Evidence): Judgement {
  const over = evidence.fact(overran);
  if (over !== undefined) {
    return fail(
      `Expected at most ${over.allowed} accepted requests in ${seconds(over.milliseconds)}, but ${over.accepted} were accepted, the last one in ${name(over.last)}.`,
      [over.last],
    );
  }
  const use = evidence.fact(drained);
  if (use?.refusal !== undefined) {
    const { exchange, before } = use.refusal;
    return pass(`After ${count(before.length, 'request')} the next one was refused.`, [exchange]);
  }
  const odd = use === undefined ? undefined : oddRefusal(evidence, use);
  if (odd?.beyond === true)
    return pass('The request beyond the limit was refused, though not with 429.', [odd.exchange]);
  return inconclusive(`No refusal was seen, and no bound was exceeded. ${evidence.whyNothing(drain)}`);
}

function acceptsWithin(evidence: Evidence): Judgement {
  const { limits } = evidence.run;
  const use = evidence.fact(drained);
  const refusal = firstRefusal(evidence);
  if (refusal === undefined) {
    const sent = use?.series.flatMap(({ exchanges }) => exchanges).filter(accepted).length ?? 0;
    return sent >= limits.perMinute
      ? pass(`${sent} requests were accepted one after another and none was refused with 429.`)
      : inconclusive(
          `Only ${count(sent, 'request')} were accepted, fewer than the limit. ${evidence.whyNothing(drain)}`,
        );
  }
  const { use: refusedUse, exchange, before } = refusal;
  const answered = sinceLastTurn(refusedUse, before, evidence);
  if (answered >= limits.perMinute)
    return pass(`${answered} requests were answered before the first 429.`, [exchange]);
  const text = `Expected ${limits.perMinute} requests from an untouched limit, but ${name(exchange)} was refused after ${answered}.`;
  return earlyRefusal(evidence, refusedUse, exchange, text);
}

/** The first 429 in any stretch of use. */
function firstRefusal(evidence: Evidence) {
  for (const use of evidence.fact(uses)) {
    if (use.refusal !== undefined) return { use, exchange: use.refusal.exchange, before: use.refusal.before };
  }
  return undefined;
}

function earlyRefusal(evidence: Evidence, use: Use, exchange: Exchange, text: string): Judgement {
  const cited = [use.first, exchange];
  if (evidence.fact(miscounted)?.explanation.kind === 'somebody else uses the key') {
    return inconclusive(`${text} Somebody else seems to use the key at the same time.`, cited);
  }
  const scale = refusalScale(exchange, evidence.run.limits);
  if (scale === 'longer') {
    return inconclusive(
      `${text} The wait it asks for (${refusalSeconds(exchange)} s) is longer than the window, so a day, a ban or a penalty is the reason.`,
      cited,
    );
  }
  if (!use.untouched)
    return inconclusive(`${text} Nothing shows that the limit was untouched before.`, cited);
  if (scale === 'next request') {
    return warn(
      `${text} Its wait is so short that a smaller burst may be allowed while the rate for each minute is kept.`,
      cited,
    );
  }
  return fail(text, cited);
}

/** Requests answered since the window last began anew: those before it belong to another window. */
function sinceLastTurn(use: Use, before: readonly Exchange[], evidence: Evidence): number {
  const { run } = evidence;
  const quota = minuteQuota(run.limits);
  // Under a miscount jumps are no turns of a window.
  if (evidence.fact(miscounted) !== undefined) return before.length;
  const turn = transitions(use.series, run.limits.perMinute).findLast((change) => isJump(change, quota));
  if (turn === undefined) return before.length;
  const since = before.filter((exchange) => exchange.sent.mono > turn.from.exchange.received.mono);
  return since.length;
}

/** A keyed answer of the drain that is neither success nor 429, and whether it came beyond the limit. */
function oddRefusal(evidence: Evidence, { series }: Use) {
  const exchanges = series.flatMap(({ exchanges }) => exchanges);
  const index = exchanges.findIndex(
    (exchange) => exchange.probe === drain.id && !accepted(exchange) && !refused(exchange),
  );
  const exchange = exchanges[index];
  if (exchange === undefined) return undefined;
  const before = exchanges.slice(0, index);
  const last = before.map(readingOf).findLast((reading) => reading !== undefined);
  const { perMinute } = evidence.run.limits;
  const promised = last?.limit === perMinute && last.remaining === 0;
  return {
    exchange,
    beyond: promised || before.filter(accepted).length >= perMinute || before.length === perMinute,
  };
}

function refusesWith429(evidence: Evidence): Judgement {
  const use = evidence.fact(drained);
  if (use === undefined) return inconclusive(evidence.whyNothing(...DRAINS));
  if (use.refusal !== undefined) return pass('The refusal was a 429.', [use.refusal.exchange]);
  const disguised = disguisedRefusal(evidence, use);
  if (disguised !== undefined) {
    return fail(
      `Expected 429 beyond the limit, but ${name(disguised)} answered 200 with something that is no list.`,
      [disguised],
    );
  }
  const odd = oddRefusal(evidence, use);
  if (odd === undefined) return inconclusive(`No request was refused. ${evidence.whyNothing(drain)}`);
  const text = `Expected 429 beyond the limit, but ${name(odd.exchange)} ${fate(odd.exchange)}.`;
  if (odd.beyond) return fail(text, [odd.exchange]);
  return inconclusive(`${text} It came before the limit was reached, so it may have another reason.`, [
    odd.exchange,
  ]);
}

/** A 200 in the drain whose body is no list, when nothing was left. */
function disguisedRefusal({ run }: Evidence, { series }: Use): Exchange | undefined {
  const exchanges = series.flatMap(({ exchanges }) => exchanges);
  return exchanges.find((exchange, i) => {
    if (exchange.probe !== drain.id || statusOf(exchange) !== 200) return false;
    const body = answerOf(exchange)?.body.text.trimStart() ?? '';
    const reading = exchanges
      .slice(0, i)
      .map(readingOf)
      .findLast((one) => one !== undefined);
    const spent =
      (reading?.limit === run.limits.perMinute && reading.remaining === 0) || i >= run.limits.perMinute;
    return exchange.request.method === 'GET' && spent && !body.startsWith('[');
  });
}

/** Clocks and rounding, in seconds: windows may seem this much shorter or longer. */
const WINDOW_SLACK = 2;

function lastsAMinute(evidence: Evidence): Judgement {
  const use = evidence.fact(drained);
  const refusal = use?.refusal;
  if (use === undefined || refusal === undefined)
    return inconclusive(`No 429 was seen. ${evidence.whyNothing(drain)}`);
  const early = refillsEarly(evidence, refusal.exchange);
  if (early !== undefined) return early;
  const late = endsLate(evidence, use, refusal.exchange);
  if (late !== undefined) return late;
  const after = evidence
    .by('key')
    .find((exchange) => exchange.sent.mono > refusal.exchange.received.mono && accepted(exchange));
  if (after === undefined)
    return inconclusive(`No request was accepted after the 429. ${evidence.whyNothing(recovery)}`, [
      refusal.exchange,
    ]);
  const waited = after.sent.mono - refusal.exchange.received.mono;
  return pass(
    `The limit came back ${seconds(waited)} after the 429, and no sooner or later than a window allows.`,
    [refusal.exchange, after],
  );
}

function refillsEarly(evidence: Evidence, refusal: Exchange): Judgement | undefined {
  const { limits } = evidence.run;
  const later = ofKey(evidence.exchanges).filter((exchange) => exchange.sent.mono > refusal.received.mono);
  const changes = changesOf(stepsOf([refusal, ...later]), limits.perMinute);
  return announcedEarly(changes, limits) ?? flowsTooFast(evidence, changes);
}

/** So much more than was used must be left for a window to have begun anew. */
const LANDING = 3;

/** The target announces two ends of its window closer together than a window, and begins anew at both. */
function announcedEarly(changes: readonly Transition[], limits: Limits): Judgement | undefined {
  const landings = changes.flatMap((change) => {
    const answer = answerOf(change.from.exchange);
    const reset = answer === undefined ? undefined : rateReading(answer.headers).reset;
    const full = change.to.remaining >= limits.perMinute - 2;
    return reset !== undefined && full && gain(change) >= LANDING ? [{ ...change, reset }] : [];
  });
  for (const [i, second] of landings.entries()) {
    const first = landings[i - 1];
    if (first === undefined) continue;
    const apart = second.reset - first.reset;
    if (apart <= 0 || apart >= limits.minuteSeconds - WINDOW_SLACK) continue;
    return fail(
      `Expected a window of ${limits.minuteSeconds} s, but the target announced two Resets ${apart} s apart and began anew at both: Remaining was ${first.to.remaining} in ${name(first.to.exchange)} and again ${second.to.remaining} in ${name(second.to.exchange)}.`,
      [first.from.exchange, first.to.exchange, second.to.exchange],
    );
  }
  return undefined;
}

/** More came back in short pauses than flows back in their time, even if one refill came in one piece. */
function flowsTooFast(evidence: Evidence, changes: readonly Transition[]): Judgement | undefined {
  const quota = minuteQuota(evidence.run.limits);
  const start = evidence.fact(drained)?.series[0]?.sent ?? 0;
  const found = unlawfulGain(changes, quota, start + quota.windowMs);
  const [first] = found?.changes ?? [];
  const last = found?.changes.at(-1);
  if (found === undefined || first === undefined || last === undefined) return undefined;
  const span = last.to.exchange.received.mono - first.from.exchange.sent.mono;
  return fail(
    `Expected the limit to come back at ${quota.limit} in ${evidence.run.limits.minuteSeconds} s, but between ${name(first.from.exchange)} and ${name(last.to.exchange)} (${seconds(span)}) ${found.unexplained} more came back than that.`,
    cited(found.changes),
  );
}

/** The target itself says on accepted requests, and again on the 429, that its window is longer. */
function endsLate({ run }: Evidence, { series }: Use, refusal: Exchange): Judgement | undefined {
  const longest = run.limits.minuteSeconds + 1 + WINDOW_SLACK;
  const waits = refusalSeconds(refusal) ?? 0;
  if (waits <= longest) return undefined;
  const telling = series
    .flatMap(({ exchanges }) => exchanges)
    .find((exchange) => {
      const answer = answerOf(exchange);
      if (answer === undefined || !accepted(exchange) || readingOf(exchange)?.limit !== run.limits.perMinute)
        return false;
      return (resetSeconds(answer) ?? 0) > longest + 3;
    });
  if (telling === undefined)
    return inconclusive(
      `The 429 asks for a wait of ${waits} s, longer than the window; a day, a ban or a penalty may be the reason.`,
      [refusal],
    );
  return fail(
    `Expected a window of ${run.limits.minuteSeconds} s, but ${name(telling)} announces its end later than that, and the 429 of ${name(refusal)} asks for a wait of ${waits} s.`,
    [telling, refusal],
  );
}

type Separate = 'operation' | 'claimed address' | 'connection';

/** Fails where Remaining follows separate counters; passes where `seen` finds what a separate counter would show in. */
function oneCounter(
  evidence: Evidence,
  by: Separate,
  seen: (evidence: Evidence) => { readonly what: string } | { readonly lacks: string },
): Judgement {
  const found = evidence.fact(miscounted);
  const { explanation } = found ?? {};
  if (found !== undefined && explanation?.kind === 'separate counters' && explanation.by === by) {
    return fail(
      `Expected one limit for the caller, but Remaining is counted anew for each ${by}.`,
      found.exchanges,
    );
  }
  if (explanation?.kind === 'somebody else uses the key') {
    return inconclusive(
      'Somebody else seems to use the key, so counters cannot be told apart.',
      found?.exchanges,
    );
  }
  if (evidence.fact(overran) !== undefined)
    return inconclusive('The limit itself does not hold, so nothing can be said of how it is counted.');
  const shows = seen(evidence);
  if ('lacks' in shows) return inconclusive(shows.lacks);
  return pass(`Remaining is one count over ${shows.what}.`);
}

/** Both methods, and another path where the target has one that shows the headers. */
function operationsSeen(evidence: Evidence): { readonly what: string } | { readonly lacks: string } {
  if (!counts(evidence))
    return {
      lacks: `Neither headers nor a refusal show how requests are counted. ${evidence.whyNothing(drain)}`,
    };
  const methods = new Set(
    evidence
      .by('key')
      .filter(accepted)
      .map((exchange) => exchange.request.method),
  );
  if (methods.size < 2)
    return { lacks: 'Only one method was accepted with the key, so separate counters could not show.' };
  const others = evidence
    .of(otherOperations)
    .filter((exchange) => !shown(exchange) && statusOf(exchange) !== 404);
  if (others.some((exchange) => readingOf(exchange) === undefined)) {
    return {
      lacks: `${name(others[0] as Exchange)} carries no rate-limit headers, so it does not show whether it is counted with the others.`,
    };
  }
  return {
    what:
      others.length === 0 ? 'GET and POST of the one path that is there' : 'GET, POST and the other paths',
  };
}

/** Whether the run shows how requests are counted: by headers about the minute, or by a refusal after as many as allowed. */
function counts(evidence: Evidence): boolean {
  return showsMinute(evidence) || evidence.fact(drained)?.refusal !== undefined;
}

function holdsUnderConcurrency(evidence: Evidence): Judgement {
  const found = evidence.fact(miscounted);
  if (found?.explanation.kind === 'lost under concurrency') {
    return fail(
      'Expected requests sent at the same time to count as well, but Remaining falls by fewer than were accepted.',
      found.exchanges,
    );
  }
  const use = evidence.fact(drained);
  const parallel = use?.series.filter(({ exchanges }) => exchanges.length > 1) ?? [];
  if (parallel.length === 0) return inconclusive('No requests were under way at the same time.');
  if (evidence.fact(overran) !== undefined)
    return inconclusive(
      'The limit does not hold even one by one (LIMIT-1), so concurrency shows nothing more.',
    );
  if (use?.refusal === undefined) return inconclusive(`No refusal was seen. ${evidence.whyNothing(drain)}`);
  return pass(
    `The limit held although requests were sent at the same time in ${count(parallel.length, 'batch').replace('batchs', 'batches')}, over several connections.`,
    parallel[0]?.exchanges.slice(0, 3),
  );
}

function followsTheKey(evidence: Evidence): Judgement {
  const byAddress = oneCounter(evidence, 'claimed address', identitiesSeen);
  if (byAddress.verdict === 'fail') return byAddress;
  const byConnection = oneCounter(evidence, 'connection', identitiesSeen);
  return byConnection.verdict === 'fail' ? byConnection : byAddress;
}

function identitiesSeen(evidence: Evidence): { readonly what: string } | { readonly lacks: string } {
  if (!counts(evidence))
    return {
      lacks: `Neither headers nor a refusal show how requests are counted. ${evidence.whyNothing(drain)}`,
    };
  const claimed = evidence
    .of(identities)
    .filter((exchange) => headerValue(exchange.request.headers, 'X-Forwarded-For') !== undefined);
  if (!claimed.some(accepted))
    return {
      lacks: `No request under another claimed address was accepted. ${evidence.whyNothing(identities)}`,
    };
  const connections = new Set(evidence.by('key').map((exchange) => exchange.connection.id));
  return { what: `${connections.size} connections and ${claimed.length} claimed addresses` };
}

function isolatesCallers(evidence: Evidence): Judgement {
  if (!evidence.run.given.otherKey) {
    return notTested('It needs a second key that is stated to belong to another caller (--other-key-env).');
  }
  const [first] = evidence.step(otherCaller, WHILE_EXHAUSTED);
  if (first === undefined) return inconclusive(evidence.whyNothing(otherCaller));
  if (accepted(first))
    return pass('The other caller was answered while the examined key was refused.', [first]);
  if (statusOf(first) !== 429)
    return inconclusive(`The other caller’s request in ${name(first)} ${fate(first)}.`, [first]);
  const [before] = evidence.step(otherCallerAgain, DOUBT.before);
  const [after] = evidence.step(otherCallerAgain, DOUBT.after);
  const [a, b] = [before, after].map((exchange) =>
    exchange === undefined ? undefined : readingOf(exchange),
  );
  if (a === undefined || b === undefined || before === undefined || after === undefined) {
    return inconclusive(
      'The other caller was refused, too, and its headers do not show whose requests it counts.',
      [first],
    );
  }
  const fallen = a.remaining - b.remaining;
  if (a.limit === b.limit && fallen > 1) {
    return fail(
      `Expected the other caller’s Remaining to fall by its own request alone, but it fell by ${fallen} between ${name(before)} and ${name(after)} while the examined key was used; and it was refused in ${name(first)} when that key was exhausted.`,
      [first, before, after],
    );
  }
  return inconclusive(
    'The other caller was refused, but its Remaining does not follow the examined key: its own limit seems to have been used up before.',
    [first, before, after],
  );
}

function enforcesTheDay(evidence: Evidence): Judgement {
  if (!evidence.run.given.spentKey)
    return notTested('It needs a key whose day is already spent (--spent-key-env).');
  const [exchange] = evidence.of(spentDay);
  if (exchange === undefined) return inconclusive(evidence.whyNothing(spentDay));
  const reading = readingOf(exchange);
  const { limits } = evidence.run;
  if (refused(exchange)) {
    const answer = answerOf(exchange);
    const after = answer === undefined ? undefined : retryAfter(answer);
    const wait = after?.kind === 'seconds' || after?.kind === 'date' ? after.seconds : undefined;
    const ofTheDay = reading?.limit === limits.perDay || (wait ?? 0) > limits.minuteSeconds + WINDOW_SLACK;
    return ofTheDay
      ? pass('The key whose day is spent was refused for longer than a minute.', [exchange])
      : inconclusive(
          `${name(exchange)} answered 429, but nothing in it says that the day is the reason: it may be the minute.`,
          [exchange],
        );
  }
  const left = reading !== undefined && reading.limit > limits.perMinute && reading.remaining > 0;
  const text = `Expected 429 for a key whose day is spent, but ${name(exchange)} ${fate(exchange)}`;
  if (left)
    return inconclusive(
      `${text}, and says that ${reading.remaining} of ${reading.limit} are left: the key’s day is not spent.`,
      [exchange],
    );
  return accepted(exchange) ? fail(`${text}.`, [exchange]) : inconclusive(`${text}.`, [exchange]);
}

/** What the specification leaves open about the limit. */
export const openLimits: readonly Observable[] = [
  { id: 'LIMIT-10', asks: [...DRAINS, recovery], observe: inferAlgorithm },
];
