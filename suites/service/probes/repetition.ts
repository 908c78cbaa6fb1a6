import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isKeyRejected, isRateLimited, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
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
import { listRequest } from './category-requests.ts';
import { exhaustQuota, exhaustsQuota, sendPastLimit } from './exhaust-quota.ts';
import { secondWindow, thirdWindow } from './later-windows.ts';
import { isBaseline, preflight, startAfterTwoWindows, startFromFullQuota } from './preflight.ts';
import type { Probe, RunInputs } from './probe.ts';
import { drawn } from './probe.ts';
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
    const ends: EarlyEnd[] = [];
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
      const last = seriesOf(ofKey(pacer.session.exchanges), pacer.limits).findLast(includesExhaustion);
      ends.push((last && earlyEnd(last, pacer.limits)) ?? { answered: 0, advertised: 0 });
    }
  },
} as const satisfies Probe;

/** How many requests were answered before a 429 that came too early, and how many were advertised then. */
interface EarlyEnd {
  readonly answered: number;
  readonly advertised: number;
}

function earlyEnd(series: Series, limits: Limits): EarlyEnd | undefined {
  const limited = first429Of(series);
  if (limited === undefined || waitScale(limited.exchange, limits) !== 'window') return undefined;
  const { answered, expected } = answeredBefore429(series, limited, minuteQuota(limits));
  const covering = readingThatCovers(series, limited.step, limits);
  const isEarly = answered < expected || covering !== undefined;
  return isEarly ? { answered, advertised: covering?.remaining ?? 0 } : undefined;
}

function endAlike(ends: readonly EarlyEnd[]): boolean {
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
  const doubtful = everyEnd ? ends : ends.slice(-1);
  return [
    ...(doubtful.some(endedAsRejected) ? [KEY_REJECTED] : []),
    ...(doubtful.some((series) => earlyEnd(series, limits) !== undefined) ? [EARLY] : []),
    ...(doubtful.some((series) => waitedInVain(keyed, series)) ? [IN_VAIN] : []),
  ];
}

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
    (series) => earlyEnd(series, limits) !== undefined && !exchangesOf(series).some(inFurtherWindow),
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

/** Whether the key waited as announced and got a 429 again, twice, or was rejected as not valid. */
function waitedInVain(keyed: readonly Exchange[], series: Series): boolean {
  const limited = first429Of(series)?.exchange;
  if (limited === undefined) return false;
  const [first, second] = keyed.filter((exchange) => exchange.sent.mono >= limited.received.mono);
  if (first === undefined) return false;
  return isKeyRejected(first) || (isRateLimited(first) && second !== undefined && isRateLimited(second));
}

/** Responses in a row that say that the service is unavailable: a single one may be an accident of a gateway. */
export const UNAVAILABLE_IN_A_ROW = 3;

/** For how many intervals of the plan's rate the key rests at the end of each of the two rounds: a bucket gives as many requests back. */
const RESTS = [4, 8] as const;

/** A gateway may limit so, and an outage looks the same once. A limit shows again after as many requests. */
export const unavailableAgain = {
  id: 'unavailable-again',
  description: 'the end of the quota again, where it was 502, 503 or 504 and no 429',
  steps: {
    ...preflight.steps,
    ...exhaustQuota.steps,
    afterRest: 'after a short rest, where the service was unavailable',
  },
  async run(pacer, inputs) {
    if (!endedUnavailable(pacer)) return;
    for (const [round, rest] of RESTS.entries()) {
      if (!(await sendRound(pacer, inputs, round, rest))) return;
    }
  },
} as const satisfies Probe;

/** Whether the responses to the last requests that exhausted the quota had such a status, and no request with the key got a 429. */
function endedUnavailable({ session, isKeyStopped }: Pacer): boolean {
  const keyed = ofKey(session.exchanges);
  const exhausting = keyed.filter(({ probe }) => probe === exhaustQuota.id || probe === unavailableAgain.id);
  return !isKeyStopped && !keyed.some(isRateLimited) && endsUnavailable(exhausting);
}

export const endsUnavailable = (exchanges: readonly Exchange[]): boolean =>
  exchanges.slice(-UNAVAILABLE_IN_A_ROW).filter(unavailable).length === UNAVAILABLE_IN_A_ROW;

/** Sends one round; false where a further one would show nothing more. */
async function sendRound(pacer: Pacer, inputs: RunInputs, round: number, rest: number): Promise<boolean> {
  const { minuteSeconds, perMinute } = pacer.limits;
  const because = 'the service was unavailable at the end of the quota; a limit ends again at the same point';
  await pacer.session.wait((drawn(inputs.tag, round + 1, 8) / 8) * minuteSeconds, because);
  if (!(await startAfterTwoWindows(pacer, because))) return false;
  await sendPastLimit(pacer, inputs);
  if (!endedUnavailable(pacer)) return false;
  await pacer.session.wait(
    ((rest + 1 / 2) * minuteSeconds) / perMinute,
    'a bucket gives back as many requests in this time as the rate of the plan does',
  );
  for (let sent = 0; sent < 2 * rest + UNAVAILABLE_IN_A_ROW; sent += 1) {
    if (
      unavailable(await pacer.sendWithKeyNow(unavailableAgain.steps.afterRest, listRequest({ route: 'new' })))
    )
      break;
  }
  return true;
}
