import type { Evidence } from '../../evidence/evidence.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { fail, inconclusive, notTested, pass } from '../../evidence/judgement.ts';
import { fate, name } from '../../evidence/quote.ts';
import { accepted, readingOf, refused } from '../../limits/series.ts';
import { statusOf } from '../../model/headers.ts';
import {
  DOUBT,
  otherCaller,
  otherCallerAgain,
  SPENT_REQUESTS,
  spentDay,
  WHILE_EXHAUSTED,
} from '../../probes/other-callers.ts';
import { waitOf } from '../retry-after-and-ban/wait.ts';
import { WINDOW_SLACK } from './window.ts';

export function isolatesCallers(evidence: Evidence): Judgement {
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
  // A request whose answer was lost may have counted, and was asked once more.
  const own = evidence.by('other').filter(({ n }) => n > before.n && n <= after.n).length;
  if (a.limit === b.limit && fallen > own) {
    return fail(
      `Expected the other caller’s Remaining to fall by its own request alone, but it fell by ${fallen} between ${name(before)} and ${name(after)} while the examined key was used; and it was refused in ${name(first)} when that key was exhausted. (If both keys belong to one customer, give a key of another instead.)`,
      [first, before, after],
    );
  }
  return inconclusive(
    'The other caller was refused, but its Remaining does not follow the examined key: its own limit seems to have been used up before.',
    [first, before, after],
  );
}

const UNFINISHED = 'A day that rolls may have given a few requests back, and no more were sent to see.';
const ROLLING = 'Where the day is a rolling one, examine right after it was spent.';

export function enforcesTheDay(evidence: Evidence): Judgement {
  if (!evidence.run.given.spentKey)
    return notTested('It needs a key whose day is already spent (--spent-key-env).');
  const asked = evidence.of(spentDay);
  const exchange = asked.at(-1);
  if (exchange === undefined) return inconclusive(evidence.whyNothing(spentDay));
  const reading = readingOf(exchange);
  const { limits } = evidence.run;
  if (refused(exchange)) {
    if ((waitOf(exchange) ?? 0) > limits.minuteSeconds + WINDOW_SLACK)
      return pass('The key whose day is spent was refused for longer than a minute.', [exchange]);
    return reading?.limit === limits.perDay
      ? pass('The key whose day is spent was refused, by the limit of the day.', [exchange])
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
  if (!accepted(exchange)) return inconclusive(`${text}.`, [exchange]);
  return asked.length < SPENT_REQUESTS
    ? inconclusive(`${text}. ${UNFINISHED}`, [exchange])
    : fail(`${text}, like the ${asked.length - 1} requests before it. ${ROLLING}`, asked);
}
