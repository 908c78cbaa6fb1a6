import type { LoadFinding, LoadPhase } from '../../../load/model/record.ts';
import type { LoadResult } from './load-runs.ts';
import { loadRun } from './load-runs.ts';

const LONG = 'A plain sentence of many words. '.repeat(20);

/** A load run of which everything that its first two pages state is as long as it can be. */
export function crammedLoadRun(): LoadResult {
  const { record, trace } = loadRun(`https://${'a-long-name.'.repeat(8)}example.com/api/v1`);
  const findings = Array.from(
    { length: 40 },
    (_, at): LoadFinding => ({
      id: `THRESHOLD-${at + 1}`,
      verdict: at % 2 === 0 ? 'fail' : 'inconclusive',
      expected: LONG,
      because: LONG,
    }),
  );
  return {
    record: {
      ...record,
      findings: [...record.findings, ...findings],
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
  const [first, ...others] = record.findings;
  const because = LONG.repeat(2).slice(0, reason);
  const problem = { ...first, id: 'HOLDS', verdict: 'fail', expected: 'It holds.', because } as const;
  const findings = others.map((one): LoadFinding => ({ ...one, verdict: 'pass' }));
  return {
    record: {
      ...record,
      findings: reason === 0 ? findings : [problem, ...findings],
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
