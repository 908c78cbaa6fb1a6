import { countOf } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import {
  couldBeRateLimited,
  decisionSpanOf,
  readingThatCovers,
} from '../../../kernel/rate-limits/attribution.ts';
import type { Reading, Series, SeriesStep } from '../../../kernel/rate-limits/series.ts';
import { upToFirst429 } from '../../../kernel/rate-limits/series.ts';
import { waitScale } from '../../../kernel/rate-limits/waits.ts';
import type { Limits } from '../../../spec/plans.ts';
import { entry } from '../../../spec/register.ts';
import type { KnownBeyond } from '../attribution.ts';
import { hasOwnCount, NON_CONFORMING, openText, whyCauseOpen } from '../attribution.ts';
import type { KeyExpectation, ScenarioEvidence, Together } from '../evidence.ts';
import { sendsInOnePiece, unshownLimitText } from '../fold.ts';

/** How many 429 responses of a scenario are attributed at the most; the first one nearly always decides. */
const MOST_ATTRIBUTED = 20;

export const no429BelowLimit: KeyExpectation = {
  entry: entry('NO-429'),
  whyItMatters: 'A customer who keeps the limit loses requests that the plan grants.',
  passRequires: 'every request on schedule',
  scope: 'each key',
  judge: (scenario) => judgeNo429(scenario, {}),
  nothingJudged: 'No request was sent.',
  reconsider: (scenario, together) => judgeNo429(scenario, { together }),
};

/** Whether a scenario that stays below its limit was rate-limited, and what caused it. @param beyond `together`: the requests of every key that may be of the same caller. */
export function judgeNo429(
  scenario: ScenarioEvidence,
  beyond: KnownBeyond & { readonly together?: Together },
): Judgement | undefined {
  const used = usedBefore(scenario);
  const limitedExchanges = scenario.exchanges.filter((one) => isRateLimited(one) && one !== used);
  const [first] = limitedExchanges;
  if (first === undefined) {
    const answered = scenario.exchanges.filter(accepted).length;
    if (answered === 0) return undefined;
    return pass(
      used === undefined
        ? `None of ${countOf(scenario.exchanges.length, 'request')} was rate-limited.`
        : `The preflight request was rate-limited, as that of a key in use is; after the wait, none of ${countOf(scenario.exchanges.length - 1, 'request')} was.`,
    );
  }
  const many = `${limitedExchanges.length} of ${countOf(scenario.exchanges.length, 'request')} returned 429`;
  const attributed = limitedExchanges.slice(0, MOST_ATTRIBUTED);
  const nonConforming = attributed.find((one) => whyCauseOpen(scenario, one, beyond) === undefined);
  if (nonConforming === undefined)
    return inconclusive(
      `${many}, the first of them request ${first.n}. ${whyCauseOpen(scenario, first, beyond)}`,
    );
  if (beyond.together !== undefined && isShared(scenario, nonConforming, beyond.together)) {
    return inconclusive(
      `${many}, such as request ${nonConforming.n}. Keys of one account may be counted together: use keys of different callers.`,
    );
  }
  return fail({
    expected: 'no 429 below the limit',
    received: `a 429 for ${limitedExchanges.length} of ${countOf(scenario.exchanges.length, 'request')}, such as request ${nonConforming.n}`,
    reasoning: NON_CONFORMING,
  });
}

/** The preflight request where it was rate-limited, as that of a key in use is, and the scenario then waited for a full quota. */
function usedBefore({ exchanges, steps }: ScenarioEvidence): Exchange | undefined {
  const [preflight] = exchanges;
  const waits = steps[0]?.kind === 'preflight' && steps[1]?.kind === 'await full quota';
  return waits && preflight !== undefined && isRateLimited(preflight) ? preflight : undefined;
}

/**
 * Whether the keys may be of one account, and their requests together the cause. Where not all of them are known, they
 * may always be: no limiter of one plan would accept what so many keys send.
 */
const isShared = (
  scenario: ScenarioEvidence,
  limited: Exchange,
  { exchanges, complete }: Together,
): boolean =>
  !hasOwnCount(scenario, exchanges) &&
  (!complete || couldBeRateLimited(decisionSpanOf(limited), exchanges, scenario.limits));

export const acceptsFullLimit: KeyExpectation = {
  entry: entry('FLOOR'),
  whyItMatters: 'Customers get less than their plan states.',
  passRequires: 'every request',
  scope: 'each key',
  judge: judgeFloor,
  nothingJudged: 'No key sent as many requests as its limit without a pause.',
};

function judgeFloor(scenario: ScenarioEvidence): Judgement | undefined {
  const { limits } = scenario;
  if (!sendsInOnePiece(scenario, limits.perMinute)) return undefined;
  const limited = scenario.exchanges.find(isRateLimited);
  const most = mostInOneWindow(scenario.exchanges.filter(accepted), limits);
  const open = limited && whyCauseOpen(scenario, limited);
  if (limited !== undefined && open === undefined && !isExplainedByCount(scenario, limited)) {
    return fail({
      expected: `${limits.perMinute} accepted requests within one window`,
      received: `no more than ${most}, and a 429 for request ${limited.n}`,
      reasoning: NON_CONFORMING,
    });
  }
  // The preflight request may lie in the window before, if that ended before the burst.
  if (most === limits.perMinute - 1)
    return pass(
      `${most} of ${limits.perMinute} were accepted within one window, and the preflight request in another.`,
    );
  if (most >= limits.perMinute) return pass(`All ${limits.perMinute} were accepted within one window.`);
  if (scenario.exchanges.length === 0) return undefined;
  return inconclusive(
    `Only ${most} of ${limits.perMinute} were accepted within one window. ${open ?? whyFewer(scenario)}`,
  );
}

/** Where what was sent explains a 429, only Remaining contradicts it, which is another expectation. */
const isExplainedByCount = ({ exchanges, limits }: ScenarioEvidence, limited: Exchange): boolean =>
  couldBeRateLimited(decisionSpanOf(limited), exchanges.filter(accepted), limits);

/** Why fewer than the limit were accepted, where no 429 says so, in one sentence. */
function whyFewer({ exchanges }: ScenarioEvidence): string {
  const others = exchanges.filter((one) => !accepted(one));
  return others.length === 0
    ? 'They were not sent within one window.'
    : `${countOf(others.length, 'request')} got another response, or none, such as request ${others[0]?.n}.`;
}

/** The most of these that were sent and answered within one window; one that took longer is in none. */
function mostInOneWindow(exchanges: readonly Exchange[], limits: Limits): number {
  const windowMs = limits.minuteSeconds * 1000;
  let most = 0;
  let from = 0;
  for (const [to, last] of exchanges.entries()) {
    const end = last.received.mono;
    while (from <= to && end - (exchanges[from]?.sent.mono ?? end) > windowMs) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

export const no429WhileQuotaRemains: KeyExpectation = {
  entry: entry('REMAINING'),
  whyItMatters: 'Clients plan their requests by what Remaining shows.',
  passRequires: 'every request',
  scope: 'each key',
  judge: judgeRemaining,
  nothingJudged: 'No response showed quota for a request that followed.',
};

/** A 429 right after a response that showed quota for it. After the first 429 of a stretch a penalty may apply. */
function judgeRemaining(scenario: ScenarioEvidence): Judgement | undefined {
  let covered = 0;
  for (const series of scenario.series) {
    for (const [step, before] of coveredSteps(series, scenario.limits)) {
      const limited = step.exchanges.find(isRateLimited);
      if (limited === undefined) {
        covered += step.exchanges.length;
        continue;
      }
      return judgeUncovered(scenario, limited, before);
    }
  }
  return covered === 0
    ? undefined
    : pass(`Each of ${countOf(covered, 'request')} for which Remaining showed quota was not rate-limited.`);
}

function judgeUncovered(scenario: ScenarioEvidence, limited: Exchange, before: Reading): Judgement {
  const scale = waitScale(limited, scenario.limits);
  const open =
    scenario.anotherClient ??
    (scale === 'window' ? unshownLimitText(scenario, limited) : openText(scale, limited));
  return open === undefined
    ? fail({
        expected: 'no 429 while quota remains',
        received: `a 429 for request ${limited.n}, right after Remaining ${before.remaining} on request ${before.exchange.n}`,
      })
    : inconclusive(
        `Remaining may be wrong: request ${before.exchange.n} showed Remaining ${before.remaining} and request ${limited.n} right after it returned 429. ${open}`,
      );
}

/** Each step that the reading right before it covers, with that reading, up to the first 429. */
const coveredSteps = (series: Series, limits: Limits): readonly (readonly [SeriesStep, Reading])[] =>
  upToFirst429(series).flatMap((step) => {
    const before = readingThatCovers(series, step, limits);
    return before === undefined ? [] : [[step, before] as const];
  });
