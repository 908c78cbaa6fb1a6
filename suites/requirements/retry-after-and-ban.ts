import type { Evidence } from '../judging/evidence.ts';
import type { Judgement, Problem } from '../judging/judgement.ts';
import {
  doubt,
  fail,
  inconclusive,
  judgeEach,
  notTested,
  pass,
  violation,
  warn,
} from '../judging/judgement.ts';
import { fate, name, quote } from '../judging/quote.ts';
import type { Observable, Requirement } from '../judging/requirement.ts';
import { drained, sharedUse, takenByOthers } from '../judging/usage.ts';
import { hasWrongUnit, resetSeconds } from '../limits/refusals.ts';
import { accepted, ofKey, refused, stepsOf } from '../limits/series.ts';
import type { Exchange } from '../model/exchange.ts';
import { answerOf, retryAfter, statusOf } from '../model/headers.ts';
import { BAN_STEPS, ban, PERSISTENT_REQUESTS } from '../probes/ban.ts';
import { AT_ONCE } from '../probes/creations.ts';
import { DRAIN_STEPS, drain } from '../probes/drain.ts';
import { firstLook } from '../probes/first-look.ts';
import { recovery } from '../probes/recovery.ts';

const HAMMER = 'A client that is not told when to come back hammers, or gives up.';
const REACHES_429 = [firstLook, drain] as const;

/** Chapter "Retry-After and ban". */
export const retryAfterAndBan: readonly Requirement[] = [
  {
    id: 'RETRY-1',
    asks: REACHES_429,
    matters: HAMMER,
    judge: (evidence) =>
      judgeEach(
        keyedRefusals(evidence),
        (exchange) => {
          const answer = answerOf(exchange);
          return answer !== undefined && retryAfter(answer).kind === 'absent'
            ? violation(`Expected Retry-After on a 429, but ${name(exchange)} has none.`)
            : undefined;
        },
        { good: 'Every 429 carries Retry-After', none: `No 429 was seen. ${evidence.whyNothing(drain)}` },
      ),
  },
  {
    id: 'RETRY-2',
    asks: REACHES_429,
    matters: 'Clients read it as whole seconds or as an HTTP-date (RFC 9110 §10.2.3), and as nothing else.',
    judge: (evidence) =>
      judgeEach(keyedRefusals(evidence).filter(hasRetryAfter), formProblem, {
        good: 'Every Retry-After is whole seconds or an HTTP-date',
        none: `No 429 with Retry-After was seen. ${evidence.whyNothing(drain)}`,
      }),
  },
  {
    id: 'RETRY-3',
    asks: [...REACHES_429, recovery],
    matters: 'Whoever waits as told and is refused again learns not to wait.',
    judge: (evidence) => retried(evidence).kept,
  },
  {
    id: 'RETRY-4',
    asks: [...REACHES_429, recovery],
    matters: 'A wait that is rounded down costs every client a second refusal, and perhaps a ban.',
    judge: (evidence) => retried(evidence).exact,
  },
  {
    id: 'BAN-1',
    asks: [ban],
    matters: 'The specification allows a temporary ban only: a key that is lost for good is a customer lost.',
    judge: isTemporary,
  },
  {
    id: 'BAN-2',
    asks: [ban],
    matters: 'One caller’s persistence must not shut out another.',
    judge: sparesOthers,
  },
];

const keyedRefusals = (evidence: Evidence): readonly Exchange[] =>
  evidence.answered(429).filter((exchange) => exchange.caller !== 'stranger');

const hasRetryAfter = (exchange: Exchange): boolean => {
  const answer = answerOf(exchange);
  return answer !== undefined && retryAfter(answer).kind !== 'absent';
};

function formProblem(exchange: Exchange): Problem | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined) return undefined;
  const after = retryAfter(answer);
  if (after.kind === 'malformed') {
    return violation(
      `Expected whole seconds or an HTTP-date, but Retry-After of ${name(exchange)} is ${quote(after.text)}.`,
    );
  }
  // A spent day may be announced in seconds that happen to look like the milliseconds of a minute.
  if (after.kind === 'seconds' && exchange.caller !== 'spent' && hasWrongUnit(answer)) {
    return violation(
      `Expected seconds, but Retry-After of ${name(exchange)} is ${quote(after.text)} where its own Reset lies ${resetSeconds(answer)} s ahead: the unit is wrong.`,
    );
  }
  if (after.kind === 'date' && after.obsolete) {
    return doubt(
      `Expected the current form of an HTTP-date, but Retry-After of ${name(exchange)} is in an obsolete one: ${quote(after.text)}.`,
    );
  }
  return undefined;
}

interface Retried {
  readonly kept: Judgement;
  readonly exact: Judgement;
}

const both = (judgement: Judgement): Retried => ({ kept: judgement, exact: judgement });

/** The refusal, the request after its Retry-After, and the one after that if it was refused again. */
function retried(evidence: Evidence): Retried {
  const refusal = evidence.fact(drained)?.refusal?.exchange;
  if (refusal === undefined) return both(inconclusive(`No 429 was seen. ${evidence.whyNothing(drain)}`));
  // An odd presentation of the key that is accepted is a request of the key; one that is refused may be a stranger's.
  const keyed = ofKey(evidence.exchanges).filter(
    (exchange) => exchange.caller === 'key' || accepted(exchange),
  );
  const steps = stepsOf(keyed.filter((exchange) => exchange.sent.mono > refusal.sent.mono));
  const later = steps
    .flatMap(({ exchanges }) => exchanges)
    .filter((exchange) => exchange.sent.mono >= refusal.received.mono && !sentAlong(refusal, exchange));
  const [first, second] = later;
  const wait = waitOf(refusal);
  if (wait === undefined)
    return both(inconclusive(`The 429 of ${name(refusal)} has no usable Retry-After.`, [refusal]));
  if (first === undefined) return both(inconclusive(evidence.whyNothing(recovery), [refusal]));
  if (first.sent.mono < refusal.received.mono + wait * 1000) {
    return both(inconclusive(`${name(first)} was sent before Retry-After had passed.`, [refusal, first]));
  }
  if (!refused(first)) return notRefused(evidence, refusal, first, wait);
  if (takenByOthers(evidence, refusal)) {
    const text = `${name(first)} answered 429 again after Retry-After (${wait} s), but somebody else seems to use the key and may have used it up meanwhile.`;
    return both(inconclusive(text, [refusal, first]));
  }
  return refusedAgain(refusal, first, second, wait);
}

/** A request of the same burst: it may leave after the first refusal came, and is no answer to it. */
const sentAlong = (refusal: Exchange, { probe, step }: Exchange): boolean =>
  refusal.probe === probe && refusal.step === step && (step === DRAIN_STEPS.many || step === AT_ONCE);

function notRefused(evidence: Evidence, refusal: Exchange, first: Exchange, wait: number): Retried {
  const status = statusOf(first);
  const cited = [refusal, first];
  if (status === 401 || status === 403) {
    const text = `Expected no refusal after Retry-After (${wait} s), but ${name(first)} ${fate(first)}.`;
    const single = evidence.by('key').filter(refused).length === 1;
    return both(
      single
        ? fail(text, cited)
        : inconclusive(`${text} Several requests were beyond the limit at once, so it may be a ban.`, cited),
    );
  }
  if (status === undefined) return both(inconclusive(`${name(first)} ${fate(first)}.`, cited));
  return both(pass(`After ${wait} s, as Retry-After asked, ${name(first)} was not refused again.`, cited));
}

function refusedAgain(
  refusal: Exchange,
  first: Exchange,
  second: Exchange | undefined,
  wait: number,
): Retried {
  const cited = [refusal, first, ...(second === undefined ? [] : [second])];
  const text = `Expected no refusal after Retry-After (${wait} s), but ${name(first)} answered 429 again`;
  if (second === undefined) return both(inconclusive(`${text}; it was not tried once more.`, cited));
  const again = Math.max(waitOf(first) ?? 1, 1);
  if (refused(second) && second.sent.mono < first.received.mono + again * 1000) {
    return both(
      inconclusive(`${text}; ${name(second)} was sent before the second Retry-After had passed.`, cited),
    );
  }
  if (refused(second)) {
    return {
      kept: fail(`${text}, and so did ${name(second)} after its Retry-After.`, cited),
      exact: inconclusive('Retry-After is wrong by more than rounding (RETRY-3).', cited),
    };
  }
  const more = waitOf(first) ?? 0;
  const late = warn(
    `${text} with a Retry-After of ${more} s; only then ${name(second)} was accepted.`,
    cited,
  );
  const kept =
    more > 1 ? late : pass(`${text}, and was accepted at most a second later: rounded down.`, cited);
  return { kept, exact: late };
}

function waitOf(exchange: Exchange): number | undefined {
  const answer = answerOf(exchange);
  const after = answer === undefined ? undefined : retryAfter(answer);
  return after?.kind === 'seconds' || after?.kind === 'date' ? after.seconds : undefined;
}

const NEEDS_SACRIFICE = 'It needs a key that may be lost (--sacrificial-key-env).';

/** The requests that went on although the key was refused, where one of them shows a ban. */
function banned(evidence: Evidence): Exchange | undefined {
  const refusal = evidence.step(ban, BAN_STEPS.drain).find(refused);
  const wait = (refusal === undefined ? undefined : waitOf(refusal)) ?? 0;
  return evidence.step(ban, BAN_STEPS.persist).find((exchange, i, all) => {
    const status = statusOf(exchange);
    // Lost answers may be the network's doing; a ban drops every further request.
    const later = all.slice(i);
    if (status === undefined) return later.length > 1 && later.every((one) => statusOf(one) === undefined);
    if (status === 401 || status === 403) return true;
    return status === 429 && (waitOf(exchange) ?? 0) > wait + 2;
  });
}

function isTemporary(evidence: Evidence): Judgement {
  if (!evidence.run.given.sacrificialKey) return notTested(NEEDS_SACRIFICE);
  if (evidence.step(ban, BAN_STEPS.persist).length === 0) return inconclusive(evidence.whyNothing(ban));
  const first = banned(evidence);
  const tries = evidence.step(ban, BAN_STEPS.lifted);
  const lifted = tries.find(accepted);
  if (lifted !== undefined) {
    const what =
      first === undefined
        ? `${PERSISTENT_REQUESTS} requests beyond the limit brought no ban`
        : 'The ban was lifted';
    return pass(`${what}, and ${name(lifted)} was accepted.`, [lifted]);
  }
  const last = tries.at(-1);
  if (last === undefined) return inconclusive(evidence.whyNothing(ban));
  const told = tries.length > 1 && tries.every((exchange) => waitOf(exchange) !== undefined);
  const text = `Expected a temporary ban, but ${name(last)} ${fate(last)} although the key had waited as it was told`;
  return told
    ? fail(`${text} twice.`, [...(first === undefined ? [] : [first]), ...tries])
    : inconclusive(`${text}; it was not told for how long, so the ban may still end.`, tries);
}

function sparesOthers(evidence: Evidence): Judgement {
  if (!evidence.run.given.sacrificialKey) return notTested(NEEDS_SACRIFICE);
  const [neighbour] = evidence.step(ban, BAN_STEPS.neighbour);
  if (neighbour === undefined) return inconclusive(evidence.whyNothing(ban));
  if (accepted(neighbour))
    return pass('The examined key was answered while another key was persistent.', [neighbour]);
  const first = banned(evidence);
  if (first === undefined)
    return inconclusive(`${name(neighbour)} ${fate(neighbour)}, but no ban was seen.`, [neighbour]);
  if (evidence.fact(sharedUse) !== undefined) {
    const text = `${name(neighbour)} ${fate(neighbour)}, but somebody else seems to use the key and may have used it up.`;
    return inconclusive(text, [first, neighbour]);
  }
  if (statusOf(neighbour) === undefined)
    return inconclusive(`${name(neighbour)} ${fate(neighbour)}, which the network may have done.`, [
      neighbour,
    ]);
  return fail(
    `Expected only the persistent key to be banned, but the examined key was refused, too: ${name(neighbour)} ${fate(neighbour)}.`,
    [first, neighbour],
  );
}

/** What the specification leaves open about bans. */
export const openBans: readonly Observable[] = [
  {
    id: 'BAN-3',
    asks: [ban],
    observe(evidence) {
      if (!evidence.run.given.sacrificialKey) return { value: `Not asked. ${NEEDS_SACRIFICE}` };
      const persistent = evidence.step(ban, BAN_STEPS.persist);
      const first = banned(evidence);
      if (first === undefined)
        return {
          value: `No ban in ${persistent.length} requests beyond the limit.`,
          exchanges: persistent.slice(0, 2),
        };
      const after = persistent.indexOf(first) + 1;
      return {
        value: `A ban after ${after} further requests: ${name(first)} ${fate(first)}, Retry-After ${waitOf(first) ?? 'absent'}.`,
        exchanges: [first],
      };
    },
  },
];
