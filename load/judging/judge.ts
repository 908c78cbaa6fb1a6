import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import type { KeyAlias } from '../model/profile.ts';
import type { KeyTrace, Trace } from '../model/sample.ts';
import type { RunEnd, RunToJudge } from './run-judge.ts';
import { RunJudge } from './run-judge.ts';

/** A load run as it came to an end, to be judged. */
export interface LoadRun extends RunToJudge, RunEnd {
  readonly trace: Trace;
}

/**
 * Judges a load run: every expectation of its profile, by the samples alone.
 * Pure: no clock, no network, no environment. What the load generator did not
 * send is never attributed to the target, and never passes.
 */
export function judgeLoad(run: LoadRun): LoadRecord {
  const judge = new RunJudge(run);
  for (const key of keyTraces(run.trace)) judge.add(key);
  return judge.conclude(run).record;
}

/** The records of a trace by key. */
export function keyTraces({ samples, events }: Pick<Trace, 'samples' | 'events'>): readonly KeyTrace[] {
  const [samplesOf, eventsOf] = [groupedBy(samples, keyOf), groupedBy(events, keyOf)];
  return [...new Set([...samplesOf.keys(), ...eventsOf.keys()])].map((key) => ({
    key,
    samples: samplesOf.get(key) ?? [],
    events: eventsOf.get(key) ?? [],
  }));
}

const keyOf = ({ key }: { readonly key: KeyAlias }): KeyAlias => key;
