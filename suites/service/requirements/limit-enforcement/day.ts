import { exchangeName, receivedText } from '../../../../kernel/exchanges/exchange-text.ts';
import { answerOf } from '../../../../kernel/exchanges/headers.ts';
import { accepted, isRateLimited } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { literalWaitSeconds } from '../../../../kernel/exchanges/retry-after.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import {
  fail,
  inconclusive,
  isAdverse,
  notTested,
  pass,
  unproven,
} from '../../../../kernel/findings/judgement.ts';
import { readingOf } from '../../../../kernel/rate-limits/series/reading.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { EXHAUSTED_KEY_REQUESTS, exhaustedDay } from '../../probes/other-callers.ts';
import { ofUsedDay } from './used-day.ts';
import { WINDOW_SLACK } from './window.ts';

const UNFINISHED = 'A rolling day may have given a few requests back, and too few were sent to exhaust them.';
const ROLLING = 'If the day is a rolling one, run right after its quota was exhausted.';

const NEEDS =
  'This needs a run that uses the daily quota of the key (--spend-day), or a key whose daily quota is already exhausted (--exhausted-key-env).';

/** LIMIT-9: whether the daily quota is enforced: of the key under test, where the run used it, and of an exhausted key. */
export function enforcesTheDay(evidence: Evidence): Judgement {
  const { exhaustedKey, spendDay } = evidence.run.inputs;
  const exhausted = exhaustedKey ? ofExhaustedKey(evidence) : undefined;
  if (exhausted !== undefined && isAdverse(exhausted)) return exhausted;
  return spendDay === true ? ofUsedDay(evidence) : (exhausted ?? notTested(NEEDS));
}

/** Whether a key whose daily quota is exhausted, as the user states, is rate-limited. */
function ofExhaustedKey(evidence: Evidence): Judgement {
  const sent = evidence.of(exhaustedDay);
  const exchange = sent.at(-1);
  if (exchange === undefined) return inconclusive(evidence.whyNothing(exhaustedDay));
  const shown = [exchange];
  const reading = readingOf(exchange);
  const { limits } = evidence.run;
  if (isRateLimited(exchange)) {
    const limited = 'The key with an exhausted daily quota was rate-limited';
    if ((literalWaitSeconds(answerOf(exchange)) ?? 0) > limits.minuteSeconds + WINDOW_SLACK)
      return pass(`${limited} for longer than a minute.`, shown);
    if (reading?.limit === limits.perDay)
      return pass(`${limited}, and the headers describe the daily limit.`, shown);
    return inconclusive(
      `${exchangeName(exchange)} returned 429, but nothing in it shows whether the day or the minute is the reason.`,
      shown,
    );
  }
  const fact = {
    expected: '429 for a key whose daily quota is exhausted',
    received: receivedText(exchange),
  };
  if (reading !== undefined && reading.limit > limits.perMinute && reading.remaining > 0)
    return unproven(
      fact,
      `Its headers have Remaining ${reading.remaining} of ${reading.limit}, so the daily quota of this key is not exhausted.`,
      shown,
    );
  if (!accepted(exchange)) return unproven(fact, 'This is neither a success nor a 429.', shown);
  return sent.length < EXHAUSTED_KEY_REQUESTS
    ? unproven(fact, UNFINISHED, shown)
    : fail(
        { ...fact, reasoning: `The ${sent.length - 1} requests before it were accepted, too. ${ROLLING}` },
        sent,
      );
}
