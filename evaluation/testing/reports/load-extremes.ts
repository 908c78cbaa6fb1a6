import type { LoadPhase } from '../../../kernel/findings/load.ts';
import type { Finding } from '../../../kernel/findings/record.ts';
import type { LoadResult } from './load-runs.ts';
import { loadFindingOf, loadRun } from './load-runs.ts';

const LONG = 'A plain sentence of many words. '.repeat(20);

/** A load run of which everything that its first two pages state is as long as it can be. */
export function crammedLoadRun(): LoadResult {
  const { record, trace } = loadRun(`https://${'a-long-name.'.repeat(8)}example.com/api/v1`);
  const findings = Array.from(
    { length: 40 },
    (_, at): Finding => ({
      ...loadFindingOf(`THRESHOLD-${at + 1}`, at % 2 === 0 ? 'fail' : 'inconclusive', LONG),
      sentence: LONG,
    }),
  );
  return {
    record: {
      ...record,
      requirements: [...record.requirements, ...findings],
      product: { name: LONG, vendor: LONG, version: '1.2.3', configuration: LONG },
      ended: { how: 'stopped', because: LONG },
      remarks: [LONG, LONG, LONG, LONG],
      phases: phasesOf(40, LONG),
      keys: Array.from({ length: 2000 }, (_, at) => ({
        ...{ key: `fleet-${at + 1}`, planned: 60, sent: 59, accepted: 58, rateLimited: 1, failed: 0 },
      })),
    },
    trace,
  };
}

/** A run with so many phases, and a problem whose reason has so many characters. */
export function loadRunWith({ phases, reason }: { phases: number; reason: number }): LoadResult {
  const { record, trace } = loadRun();
  const [, ...others] = record.requirements;
  const because = LONG.repeat(2).slice(0, reason);
  const problem: Finding = { ...loadFindingOf('HOLDS', 'inconclusive', because), sentence: 'It holds.' };
  const findings = others.map(({ id }) => loadFindingOf(id, 'pass', 'It passed.'));
  return {
    record: {
      ...record,
      requirements: reason === 0 ? findings : [problem, ...findings],
      phases: phasesOf(phases, 'held'),
    },
    trace,
  };
}

const phasesOf = (count: number, result: string): readonly LoadPhase[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ name: `step ${at + 1}`, seconds: 30, p50: 4.2, p99: 12.5, result },
    ...{ requests: 30, offeredPerSecond: 2.7, acceptedPerSecond: 2.65, errors: 1, rateLimited: 2 },
  }));
