import type { LoadPhase } from '../../load/model/record.ts';
import { durationText } from '../../words/duration-text.ts';
import { millisecondsText } from './texts.ts';

/** The columns of the table of phases, each with its text; the first and the last hold words. */
export const PHASE_COLUMNS: readonly (readonly [name: string, text: (phase: LoadPhase) => string])[] = [
  ['phase', ({ name }) => name],
  ['duration', ({ seconds }) => durationText(seconds)],
  ['requests', ({ requests }) => String(requests)],
  ['offered/s', ({ offeredPerSecond }) => rateText(offeredPerSecond)],
  ['accepted/s', ({ acceptedPerSecond }) => rateText(acceptedPerSecond)],
  ['p50', ({ p50 }) => latencyText(p50)],
  ['p99', ({ p99 }) => latencyText(p99)],
  ['errors', ({ errors }) => String(errors)],
  ['429', ({ rateLimited }) => String(rateLimited)],
  ['result', ({ result }) => result],
];

const rateText = (perSecond: number): string =>
  String(perSecond >= 100 ? Math.round(perSecond) : Number(perSecond.toPrecision(3)));

const latencyText = (milliseconds: number | null): string =>
  milliseconds === null ? '–' : millisecondsText(milliseconds);
