import { capitalized, countOf } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive } from '../../../kernel/findings/judgement.ts';
import { keyText } from '../../model/key-list.ts';
import type { KeyAlias } from '../../model/profile.ts';
import { EXCEEDING_STEPS } from '../../model/profile.ts';
import { countedAgainst, countedWithLoudKey, limitedTogether } from '../attribution.ts';
import type { LoadEvidence, ScenarioEvidence } from '../evidence.ts';
import { exchangesOf } from '../evidence.ts';
import { foldKeys, ofWhom } from '../fold.ts';
import { ENOUGH_RESPONSES, judgedSpeed, speedOf } from '../slower.ts';
import { judgeNo429 } from './limits.ts';
import { statusText } from './waits.ts';

export function leavesOtherKeyAlone(evidence: LoadEvidence): Judgement {
  const loud = evidence.scenarios.find(isLoud);
  const others = evidence.scenarios.filter((scenario) => !isLoud(scenario));
  if (loud === undefined || others.length === 0) return inconclusive('The run had no two keys to compare.');
  if (loud.exchanges.length < loud.tally.requests)
    return inconclusive('The run is too long to compare its keys request by request: use fewer keys.');
  const together = limitedTogether(
    loud,
    others.filter((one) => !mayBeOneAccount(loud, one)),
  );
  const judged = others.map((quiet) => ({
    key: quiet.key,
    found: ofBoth(loud, quiet, evidence, together.includes(quiet)),
  }));
  return foldKeys(judged, 1);
}

const isLoud = ({ steps }: ScenarioEvidence): boolean => steps.some(({ kind }) => EXCEEDING_STEPS.has(kind));

/** @param withAnotherKey whether the loud key explains the 429 responses of the quiet one. */
function ofBoth(
  loud: ScenarioEvidence,
  quiet: ScenarioEvidence,
  evidence: LoadEvidence,
  withAnotherKey: boolean,
): Judgement {
  const judged = judgeNo429(quiet, { ...knownBeyond(loud, quiet, evidence), withAnotherKey });
  const below = judged && ofWhom(judged, `${keyText(quiet.key)}, below its limit`);
  const since = loud.exchanges.find((one) => isRateLimited(one))?.received.mono;
  if (since === undefined)
    return below?.verdict === 'fail'
      ? below
      : inconclusive(
          `${capitalized(keyText(loud.key))} was never rate-limited, so it did not exceed its limit.`,
        );
  const beside = quiet.exchanges.filter(({ sent }) => sent.mono >= since);
  if (beside.length === 0)
    return inconclusive(
      `${capitalized(keyText(quiet.key))} sent nothing after ${keyText(loud.key)} was rate-limited.`,
    );
  const shared = below?.verdict === 'fail' ? undefined : ofOneCount(loud, quiet);
  if (shared !== undefined) return shared;
  if (below !== undefined && below.verdict !== 'pass') return below;
  const lost = beside.find((one) => !accepted(one));
  if (lost !== undefined) return shutOut(loud.key, quiet, lost, since);
  const text = `${capitalized(keyText(quiet.key))} had all ${countOf(beside.length, 'request')} accepted while ${keyText(loud.key)} was rate-limited`;
  const speed = speedOf(loud, quiet);
  if (speed === undefined)
    return inconclusive(
      `${text}. Whether it was slowed down is open: ${ENOUGH_RESPONSES} of its responses before and ${ENOUGH_RESPONSES} while the other key sent, or within a window after it, are needed to compare latencies.`,
    );
  return judgedSpeed(speed.kind, evidence, {
    unaffected: `${text}; ${speed.text}: ${speed.shown}.`,
    uncertain: `The other key may have been slowed down: ${speed.text}.`,
    late: `This machine sent requests late, so its latencies prove nothing: ${speed.text}.`,
    slowed: {
      expected: 'no effect on the latency of the other key',
      received: 'slower responses',
      reasoning: `${capitalized(speed.text)}.`,
    },
  });
}

/** Whether both keys use one count, also where the other key got no 429: what its Remaining shows. */
function ofOneCount(loud: ScenarioEvidence, quiet: ScenarioEvidence): Judgement | undefined {
  const counted = countedAgainst(loud, quiet);
  if (counted === undefined) return undefined;
  const text = `Remaining of ${keyText(quiet.key)} fell by ${countOf(counted, 'request')} of ${keyText(loud.key)} between two of its own`;
  if (mayBeOneAccount(loud, quiet))
    return inconclusive(
      `${text}. Keys of one account may be counted together: use keys of different callers.`,
    );
  return quiet.exclusive
    ? fail({
        expected: 'a count of its own for the other key',
        received: 'one count for both',
        reasoning: `${text}, and by nothing else.`,
      })
    : inconclusive(
        `Both keys may use one count: ${text}, and by nothing else. Another client of the other key may have used it at that moment: if no other client uses the keys, state that with --exclusive-key.`,
      );
}

function knownBeyond(loud: ScenarioEvidence, quiet: ScenarioEvidence, { scenarios }: LoadEvidence) {
  const account = scenarios.filter((one) => one === quiet || mayBeOneAccount(one, quiet));
  return {
    counting: countedWithLoudKey(loud, quiet),
    ...(account.length > 1 ? { together: { exchanges: exchangesOf(account), complete: true } } : {}),
  };
}

/**
 * A disposable key may be of the same account as the key under test, and keys of a fleet that have one plan, too. The
 * key of another caller is not, nor is one of another plan.
 */
const mayBeOneAccount = (one: ScenarioEvidence, another: ScenarioEvidence): boolean =>
  [one, another].some(({ key }) => key === 'disposable') ||
  ([one, another].every(({ key }) => key.startsWith('fleet-')) &&
    one.limits.perMinute === another.limits.perMinute);

/** A key that was accepted before, and is rejected like a banned one. */
function shutOut(loudKey: KeyAlias, quiet: ScenarioEvidence, lost: Exchange, since: number): Judgement {
  const text = `request ${lost.n} of ${keyText(quiet.key)} ${statusText(lost)}`;
  const before = quiet.exchanges.some((one) => one.received.mono < since && accepted(one));
  if (isKeyRejected(lost) && before && quiet.exclusive)
    return fail({
      expected: 'no effect on the other key',
      received: `${statusOf(lost)} for request ${lost.n} of ${keyText(quiet.key)}`,
      reasoning: `The key was accepted before ${keyText(loudKey)} exceeded its limit.`,
    });
  const doubt =
    isKeyRejected(lost) && before
      ? ` ${quiet.anotherClient ?? 'Another client may have caused a ban of it: if no other client uses the keys, state that with --exclusive-key.'}`
      : '';
  return inconclusive(`While the other key was rate-limited, ${text}.${doubt}`);
}
