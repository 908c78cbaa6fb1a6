import { durationText } from '../../kernel/basics/duration-text.ts';
import { countOf } from '../../kernel/basics/text.ts';
import { remedyFor } from '../../load/model/next-steps.ts';
import type { KeyCount, LoadFinding, LoadPhase, LoadRecord, LoadVerdict } from '../../load/model/record.ts';
import type { VerdictCount } from '../outcome.ts';
import { verdictCounts } from '../outcome.ts';

/** Characters of the sentence of an expectation that the printed pages have space for. */
export const EXPECTED_LIMIT = 120;

/** The verdicts of load, worst first. */
const VERDICTS = ['fail', 'inconclusive', 'pass'] as const satisfies readonly LoadVerdict[];

/** How many expectations have each verdict. */
export const loadVerdictCounts = ({ findings }: LoadRecord): readonly VerdictCount[] =>
  verdictCounts(findings, VERDICTS);

/** Expectations that a sentence names. */
const MOST_IDS = 6;

/** The ids of the expectations with a verdict, for a sentence: `SENT, CONTRACT`; `all` where there are none. */
export function idsText(findings: readonly LoadFinding[], wanted: LoadVerdict): string {
  const ids = findings.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  return firstOf(ids, MOST_IDS) || 'all';
}

/** The first of these names, and how many more there are. */
function firstOf(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The verdict of a load run in one sentence, for a person who reads nothing else. */
export function loadSentence({ profile, verdict, findings }: LoadRecord): string {
  switch (verdict) {
    case 'fail':
      return `Load profile ${profile}: fail (${idsText(findings, 'fail')}).`;
    case 'inconclusive':
      return `Load profile ${profile}: inconclusive. No expectation failed, but these could not be decided: ${idsText(findings, 'inconclusive')}.`;
    case 'pass':
      return `Load profile ${profile}: pass. All ${findings.length} expectations passed.`;
  }
}

/** What to do next; undefined where there is nothing to do. */
export function nextStep({ verdict, ended, findings }: LoadRecord): string | undefined {
  switch (verdict) {
    case 'fail':
      return 'Fix the target as the findings show, then run the profile again. The samples in this folder contain every request; certify checks each rule of the limit separately.';
    case 'inconclusive':
      return ended.how === 'finished'
        ? `There is no verdict on the target; the findings state the reasons. ${remedyFor(findings.flatMap((one) => (one.verdict === 'inconclusive' ? [one.because] : [])))}`
        : 'There is no verdict on the target, because the run did not finish. Resolve the reason, then run the profile again.';
    case 'pass':
      return undefined;
  }
}

/** The requests of all keys together. */
export function totalOfKeys({ keys }: LoadRecord): KeyCount {
  const sum = (field: Exclude<keyof KeyCount, 'key'>): number =>
    keys.reduce((total, one) => total + one[field], 0);
  return {
    key: 'all keys',
    planned: sum('planned'),
    sent: sum('sent'),
    accepted: sum('accepted'),
    rateLimited: sum('rateLimited'),
    failed: sum('failed'),
  };
}

/** The findings in the order in which a reader needs them: what failed, what is inconclusive, what passed. */
export const byVerdict = (findings: readonly LoadFinding[]): readonly LoadFinding[] =>
  VERDICTS.flatMap((verdict) => findings.filter((one) => one.verdict === verdict));

/** Keys that a sentence names. */
const MOST_KEY_NAMES = 4;

/** The names of the keys, which stand for their values everywhere: `fleet-1, fleet-2, fleet-3, fleet-4 and 26 more`. */
export const keyNamesText = ({ keys }: LoadRecord): string =>
  firstOf(
    keys.map(({ key }) => key),
    MOST_KEY_NAMES,
  );

/** `65 of 65 requests with 1 key`. */
export function sentText(record: LoadRecord): string {
  const { sent, planned } = totalOfKeys(record);
  return `${sent} of ${planned} requests with ${countOf(record.keys.length, 'key')}`;
}

/** Milliseconds for a person, with about three significant digits: `4.56 ms`, `123 ms`, `12.3 s`. */
export function millisecondsText(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  if (value >= 100) return `${Math.round(value)} ms`;
  return `${value.toFixed(value >= 10 ? 1 : 2)} ms`;
}

/** Seconds for a person, in milliseconds where they are fewer than two: `19.0 ms`, `43 s`. */
export const shortText = (seconds: number): string =>
  seconds > 0 && seconds < 2 ? millisecondsText(seconds * 1000) : durationText(seconds);

/** The latencies in a report, each with its field. */
export const LATENCY_COLUMNS = [
  ['min', 'min'],
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p99', 'p99'],
  ['p99.9', 'p999'],
  ['max', 'max'],
] as const;

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
