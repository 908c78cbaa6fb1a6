import type { KeyAlias } from '../../model/profile.ts';
import type { KeyTrace, Sample, ScenarioEvent } from '../../model/sample.ts';
import { recordIn } from '../samples.ts';
import type { SpooledKey } from './key-spool.ts';

/** The records of a key from all parts, each once. */
export interface KeyRecords {
  readonly trace: KeyTrace;
  /** How many records arrived more than once; they count once. */
  readonly repeated: number;
  /** The number of a request that was recorded with two outcomes, by two runs; undefined where there is none. */
  readonly conflict: number | undefined;
  /** The parts with a line that is no record. */
  readonly damagedParts: ReadonlySet<number>;
}

/** Reads the lines of a key. A part that arrived twice holds the same records, which count once. */
export function keyRecords({ key, lines }: SpooledKey): KeyRecords {
  const samples = new Map<number, Sample>();
  const events = new Map<string, ScenarioEvent>();
  const damagedParts = new Set<number>();
  let repeated = 0;
  let conflict: number | undefined;
  for (const { part, line } of lines) {
    const record = recordIn(line);
    if (record === undefined) damagedParts.add(part);
    else if (record.kind === 'event') {
      repeated += events.has(line) ? 1 : 0;
      events.set(line, record.event);
    } else {
      const { sample } = record;
      const known = samples.get(sample.n);
      if (known === undefined) samples.set(sample.n, sample);
      else if (JSON.stringify(known) === JSON.stringify(sample)) repeated += 1;
      else conflict ??= sample.n;
    }
  }
  const trace = { key: key as KeyAlias, samples: [...samples.values()], events: [...events.values()] };
  return { trace, repeated, conflict, damagedParts };
}
