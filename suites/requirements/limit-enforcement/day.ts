import { exchangeName, outcomeText } from '../../../exchanges/exchange-text.ts';
import { answerOf } from '../../../exchanges/headers.ts';
import { accepted, isRateLimited } from '../../../exchanges/outcome-kinds.ts';
import { literalWaitSeconds } from '../../../exchanges/retry-after.ts';
import { readingOf } from '../../../rate-limits/series/reading.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { fail, inconclusive, notTested, pass } from '../../evidence/judgement.ts';
import { EXHAUSTED_KEY_REQUESTS, exhaustedDay } from '../../probes/other-callers.ts';
import { WINDOW_SLACK } from './window.ts';

const UNFINISHED = 'A day that rolls may have given a few requests back, and no more were sent to see.';
const ROLLING = 'Where the day is a rolling one, examine right after it was spent.';

export function enforcesTheDay(evidence: Evidence): Judgement {
  if (!evidence.run.inputs.exhaustedKey)
    return notTested('It needs a key whose day is already spent (--exhausted-key-env).');
  const asked = evidence.of(exhaustedDay);
  const exchange = asked.at(-1);
  if (exchange === undefined) return inconclusive(evidence.whyNothing(exhaustedDay));
  const reading = readingOf(exchange);
  const { limits } = evidence.run;
  if (isRateLimited(exchange)) {
    if ((literalWaitSeconds(answerOf(exchange)) ?? 0) > limits.minuteSeconds + WINDOW_SLACK)
      return pass('The key whose day is spent was refused for longer than a minute.', [exchange]);
    return reading?.limit === limits.perDay
      ? pass('The key whose day is spent was refused, by the limit of the day.', [exchange])
      : inconclusive(
          `${exchangeName(exchange)} answered 429, but nothing in it says that the day is the reason: it may be the minute.`,
          [exchange],
        );
  }
  const left = reading !== undefined && reading.limit > limits.perMinute && reading.remaining > 0;
  const text = `Expected 429 for a key whose day is spent, but ${exchangeName(exchange)} ${outcomeText(exchange)}`;
  if (left)
    return inconclusive(
      `${text}, and says that ${reading.remaining} of ${reading.limit} are left: the key’s day is not spent.`,
      [exchange],
    );
  if (!accepted(exchange)) return inconclusive(`${text}.`, [exchange]);
  return asked.length < EXHAUSTED_KEY_REQUESTS
    ? inconclusive(`${text}. ${UNFINISHED}`, [exchange])
    : fail(`${text}, like the ${asked.length - 1} requests before it. ${ROLLING}`, asked);
}
