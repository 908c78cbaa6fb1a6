import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { KeyAlias } from '../model/profile.ts';
import type { KeyTrace, Trace } from '../model/sample.ts';

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
