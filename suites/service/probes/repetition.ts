import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isKeyRejected, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import {
  answeredBefore429,
  first429Of,
  readingThatCovers,
  sameWithinOne,
} from '../../../kernel/rate-limits/attribution.ts';
import { showsUntouched } from '../../../kernel/rate-limits/bounds/windows.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import type { Series } from '../../../kernel/rate-limits/series.ts';
import { exchangesOf, ofKey, seriesOf } from '../../../kernel/rate-limits/series.ts';
import { waitScale } from '../../../kernel/rate-limits/waits.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { exhaustQuota, sendPastLimit } from './exhaust-quota.ts';
import { secondWindow, thirdWindow } from './later-windows.ts';
import { isBaseline, preflight, startAfterTwoWindows, startFromFullQuota } from './preflight.ts';
import type { Probe } from './probe.ts';
import { exhaustsQuota } from './quota-batches.ts';
import { recovery, replay, sendAfterRetryAfter } from './recovery.ts';

/** A doubtful 429 is repeated until this many rounds in a row end alike. */
export const ROUNDS_ALIKE = 3;

export const MOST_ROUNDS = 5;

/** Another client can cause such a 429, too. A fault happens again from an untouched quota with the same requests. */
export const repetition = {
  id: 'repetition',
  description: 'the end of the quota again, where a 429 came that should not have come',
  steps: { ...preflight.steps, ...exhaustQuota.steps, ...recovery.steps },
  async run(pacer, inputs) {
    // Without another client of the key, one round tells the minute from a day that is nearly exhausted.
    const most = inputs.exclusiveKey ? 1 : MOST_ROUNDS;
    const ends: End[] = [];
    while (ends.length < most && !endAlike(ends)) {
      const found = doubtsAbout(ofKey(pacer.session.exchanges), pacer.limits, ends.length === 0);
      const doubts = inputs.exclusiveKey ? found.filter((one) => one === EARLY) : found;
      if (doubts.length === 0 || !(await startAgain(pacer, doubts))) return;
      const early = doubts.includes(EARLY)
        ? firstEarly(ofKey(pacer.session.exchanges), pacer.limits)
        : undefined;
      if (early !== undefined) await replay(pacer, inputs, early);
      await sendPastLimit(pacer, inputs);
      if (doubts.includes(IN_VAIN)) await sendAfterRetryAfter(pacer, inputs);
      ends.push(endOf(ofKey(pacer.session.exchanges), pacer.limits));
    }
  },
} as const satisfies Probe;

/** How many requests a round had answered before its 429, and how many were advertised then: both 0 where it was not too early. */
interface End {
  readonly answered: number;
  readonly advertised: number;
}

function endOf(keyed: readonly Exchange[], limits: Limits): End {
  const series = seriesOf(keyed, limits).findLast(includesExhaustion);
  const limited = series === undefined ? undefined : first429Of(series);
  if (series === undefined || limited === undefined || !tooEarly(series, limits))
    return { answered: 0, advertised: 0 };
  const { answered } = answeredBefore429(series, limited, minuteQuota(limits));
  return { answered, advertised: readingThatCovers(series, limited.step, limits)?.remaining ?? 0 };
}

function endAlike(ends: readonly End[]): boolean {
  const rounds = ends.slice(-ROUNDS_ALIKE);
  return (
    rounds.length === ROUNDS_ALIKE &&
    sameWithinOne(rounds.map(({ answered }) => answered)) &&
    sameWithinOne(rounds.map(({ advertised }) => advertised))
  );
}

/** What the last 429, 401 or 403 could be a violation of. */
const KEY_REJECTED = 'the key was rejected as if it were not valid';
const EARLY = 'the key got a 429 before its quota was used';
const IN_VAIN = 'the key got a 429 again after it had waited as announced';

/** The doubts about the last end of the quota; before the first repetition, about every end of the run. */
function doubtsAbout(keyed: readonly Exchange[], limits: Limits, everyEnd: boolean): readonly string[] {
  const ends = seriesOf(keyed, limits).filter(
    (series) => includesExhaustion(series) || (everyEnd && beganUntouched(series, limits)),
  );
  const found = (everyEnd ? ends : ends.slice(-1)).flatMap((series) => doubtsAboutEnd(keyed, series, limits));
  return [KEY_REJECTED, EARLY, IN_VAIN].filter((doubt) => found.includes(doubt));
}

const doubtsAboutEnd = (keyed: readonly Exchange[], series: Series, limits: Limits): readonly string[] => [
  ...(endedAsRejected(series) ? [KEY_REJECTED] : []),
  ...(tooEarly(series, limits) ? [EARLY] : []),
  ...(waitedInVain(keyed, series) ? [IN_VAIN] : []),
];

/** A full quota for a doubtful 429, two windows of rest for a ban. False where the key is not accepted even then. */
async function startAgain(pacer: Pacer, doubts: readonly string[]): Promise<boolean> {
  pacer.resumeKey();
  const because = `${doubts.join(', and ')}; another client of the key can cause that, so it is repeated`;
  return doubts.every((one) => one === EARLY)
    ? startFromFullQuota(pacer, because)
    : startAfterTwoWindows(pacer, because);
}

/** The first use of the quota that ended too early, where its requests came one after another without a long pause. */
const firstEarly = (keyed: readonly Exchange[], limits: Limits): Series | undefined =>
  seriesOf(keyed, limits).find(
    (series) => tooEarly(series, limits) && !exchangesOf(series).some(inFurtherWindow),
  );

/** Whether a use of the quota began with a baseline request that found it untouched. */
const beganUntouched = ([first]: Series, { perMinute }: Limits): boolean =>
  first?.exchanges.some(isBaseline) === true && showsUntouched(first.reading, perMinute);

/** Whether the quota was exhausted in this series, and it is not only a request after a 429. */
const includesExhaustion = (series: Series): boolean =>
  series.some(({ exchanges }) => exchanges.some((one) => exhaustsQuota(one) || inFurtherWindow(one)));

/** Whether this request uses the quota of a further window, apart from the baseline request before it. */
const inFurtherWindow = ({ step }: Exchange): boolean =>
  step === secondWindow.steps.newConnection ||
  step === thirdWindow.steps.early ||
  step === thirdWindow.steps.aroundEnd;

/** Whether the last request that used the quota returned 401 or 403, as a ban is, and not 429. */
function endedAsRejected(series: Series): boolean {
  const last = exchangesOf(series).findLast(exhaustsQuota);
  return last !== undefined && isKeyRejected(last);
}

function tooEarly(series: Series, limits: Limits): boolean {
  const limited = first429Of(series);
  if (limited === undefined || waitScale(limited.exchange, limits) !== 'window') return false;
  const { answered, expected } = answeredBefore429(series, limited, minuteQuota(limits));
  return answered < expected || readingThatCovers(series, limited.step, limits) !== undefined;
}

/** Whether the key waited as announced and got a 429 again, twice, or was rejected as not valid. */
function waitedInVain(keyed: readonly Exchange[], series: Series): boolean {
  const limited = first429Of(series)?.exchange;
  if (limited === undefined) return false;
  const [first, second] = keyed.filter((exchange) => exchange.sent.mono >= limited.received.mono);
  if (first === undefined) return false;
  return isKeyRejected(first) || (isRateLimited(first) && second !== undefined && isRateLimited(second));
}
