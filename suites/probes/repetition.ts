import { firstRefusalOf, promiseBefore, roomBefore } from '../limits/early.ts';
import { minuteQuota } from '../limits/overrun.ts';
import { refusalScale } from '../limits/refusals.ts';
import type { Series } from '../limits/series.ts';
import { accepted, ofKey, refused, seriesOf } from '../limits/series.ts';
import type { Exchange } from '../model/exchange.ts';
import { statusOf } from '../model/headers.ts';
import type { Limits } from '../model/journal.ts';
import type { Pacer } from '../pace/pacer.ts';
import { DRAIN_STEPS, useUp } from './drain.ts';
import { ARM_RESTED, rearm } from './first-look.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';
import { recover } from './recovery.ts';

/** How often a doubtful refusal is looked for again. */
export const ROUNDS = 2;

/**
 * Only where the key was refused too early, or again after its Retry-After:
 * somebody else who uses the key at the same moment does that to a target that
 * conforms, too. What is the target's own doing happens again, in the same way,
 * from a limit that was left alone; it costs a conforming target nothing.
 */
export const repetition: Probe = {
  id: 'repetition',
  asks: 'the end of the limit again, where the key was refused although it should not have been',
  cost: () => nothing,
  async run(pacer) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const why = doubt(ofKey(pacer.session.exchanges), pacer.limits);
      if (why === undefined || !(await startAgain(pacer, why))) return;
      await useUp(pacer);
      await recover(pacer);
    }
  },
};

/** False where the key is not as good as new after two idle windows: then nothing can be told from a repetition. */
async function startAgain(pacer: Pacer, why: string): Promise<boolean> {
  pacer.forgive();
  await rearm(pacer, `${why}, which somebody else who uses the key could have caused, so it is tried again`);
  const armed = pacer.session.exchanges.findLast((exchange) => exchange.step === ARM_RESTED);
  return pacer.givenUp === undefined && armed !== undefined && accepted(armed);
}

/** What the last refusal would be held against the target for, in words that continue with a reason. */
function doubt(keyed: readonly Exchange[], limits: Limits): string | undefined {
  if (endedAsUnknown(keyed)) return 'the key was refused as if it were not known';
  const series = seriesOf(keyed, limits).findLast((one) => firstRefusalOf(one) !== undefined);
  if (series === undefined) return undefined;
  return tooEarly(series, limits) ?? inVain(keyed, series);
}

/** Whether the last request that used the limit up was answered 401 or 403, as a ban is, and not 429. */
function endedAsUnknown(keyed: readonly Exchange[]): boolean {
  const last = keyed.findLast(({ step }) => step === DRAIN_STEPS.one || step === DRAIN_STEPS.many);
  return last !== undefined && unknown(last);
}

const unknown = (exchange: Exchange): boolean => statusOf(exchange) === 401 || statusOf(exchange) === 403;

function tooEarly(series: Series, limits: Limits): string | undefined {
  const refusal = firstRefusalOf(series);
  if (refusal === undefined || refusalScale(refusal.exchange, limits) !== 'window') return undefined;
  const { answered, promised } = roomBefore(series, refusal, minuteQuota(limits));
  const broken = promiseBefore(series, refusal, limits) !== undefined;
  return answered < promised || broken ? 'the key was refused before its limit was used up' : undefined;
}

/** Whether the key was refused again although it had waited as it was told, twice, or was not known any more. */
function inVain(keyed: readonly Exchange[], series: Series): string | undefined {
  const refusal = firstRefusalOf(series)?.exchange;
  if (refusal === undefined) return undefined;
  const [first, second] = keyed.filter((exchange) => exchange.sent.mono >= refusal.received.mono);
  if (first === undefined) return undefined;
  const again = refused(first) && second !== undefined && refused(second);
  return again || unknown(first) ? 'the key was refused although it had waited as it was told' : undefined;
}
