import type { KeyCount, LoadRecord, LoadVerdict } from '../../load/model/record.ts';
import type { Sign } from '../outcome.ts';
import { VERDICT_SIGNS } from '../outcome.ts';

/** How a load verdict is shown: a mark for the eye and a word, never colour alone. */
export const LOAD_SIGNS: Readonly<Record<LoadVerdict, Sign>> = {
  fail: { mark: VERDICT_SIGNS.fail.mark, word: 'failed' },
  inconclusive: VERDICT_SIGNS.inconclusive,
  pass: { mark: VERDICT_SIGNS.pass.mark, word: 'passed' },
};

/** How many expectations there are of each verdict, worst first. */
export function loadCounts({
  findings,
}: LoadRecord): readonly (Sign & { verdict: LoadVerdict; count: number })[] {
  const verdicts: readonly LoadVerdict[] = ['fail', 'inconclusive', 'pass'];
  return verdicts.map((verdict) => ({
    ...VERDICT_SIGNS[verdict],
    verdict,
    count: findings.filter((one) => one.verdict === verdict).length,
  }));
}

/** The verdict of a load run in one sentence, for a person who reads nothing else. */
export function loadSentence(record: LoadRecord): string {
  const { profile, verdict, findings } = record;
  const of = (wanted: LoadVerdict): string =>
    findings
      .filter((one) => one.verdict === wanted)
      .map(({ id }) => id)
      .join(', ');
  switch (verdict) {
    case 'fail':
      return `The load profile ${profile} failed: ${of('fail')}.`;
    case 'inconclusive':
      return `The load profile ${profile} is inconclusive: nothing failed, but nothing is proven about ${of('inconclusive') || 'anything'}.`;
    case 'pass':
      return `The load profile ${profile} passed: all ${findings.length} expectations hold.`;
  }
}

/** What to do about it, for whoever was woken by it; undefined where nothing is. */
export function nextStep({ verdict, ended }: LoadRecord): string | undefined {
  switch (verdict) {
    case 'fail':
      return 'This accuses the target: show the findings to whoever runs it. Every request is in the samples beside this report, and certify examines the rules of the limit one by one. Once it is mended, run the profile again.';
    case 'inconclusive':
      return ended.how === 'finished'
        ? 'This accuses nobody: the reasons say what stood in the way. Run it again, with a key that nobody else uses, from a machine that is not busy.'
        : 'This accuses nobody: the run did not come to its end. See to the reason, then run it again.';
    case 'pass':
      return undefined;
  }
}

/** The requests of all keys together. */
export function totalOf({ keys }: LoadRecord): KeyCount {
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

/** `65 of 65 requests with 1 key`. */
export function sentOf(record: LoadRecord): string {
  const { sent, planned } = totalOf(record);
  const { length } = record.keys;
  return `${sent} of ${planned} requests with ${length} ${length === 1 ? 'key' : 'keys'}`;
}

/** Milliseconds as a person reads them: three digits where that says something. */
export function milliseconds(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  if (value >= 100) return `${Math.round(value)} ms`;
  return `${value.toFixed(value >= 10 ? 1 : 2)} ms`;
}

/** The latencies that a report names, with the field of each. */
export const PERCENTILES = [
  ['fastest', 'min'],
  ['50 %', 'p50'],
  ['90 %', 'p90'],
  ['99 %', 'p99'],
  ['99.9 %', 'p999'],
  ['slowest', 'max'],
] as const;
