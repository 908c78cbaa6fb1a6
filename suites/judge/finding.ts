import type { Exchange } from '../../exchanges/exchange.ts';
import type { Entry } from '../../spec/register.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { FindingWords } from '../evidence/finding.ts';
import { findingOf } from '../evidence/finding.ts';
import type { Judgement } from '../evidence/judgement.ts';
import type { RunLine } from '../model/journal.ts';
import type { Finding, Observation } from '../model/record.ts';
import { observables } from '../requirements/index.ts';
import { repeatCommand } from './repeat.ts';

/** Why a test of a service says nothing about a requirement on clients, and which command does. */
export const BINDS_CLIENTS =
  'This requirement is for clients; certify tests services. To test a client, run `petstore-conformance certify-client -- COMMAND`.';

/** A judgement of a service as it stands in a record, with the request that shows it again. */
export function serviceFindingOf(
  entry: Entry & { readonly level: Finding['level'] },
  found: Judgement,
  words: FindingWords,
  run: RunLine,
): Finding {
  const { exchanges, shows = exchanges.at(-1) } = found;
  return findingOf(entry, found, words, shows === undefined ? undefined : repeatCommand(run, shows));
}

/** What a partial run did not observe. */
export const notObserved = ({ id, chapter, sentence }: Entry): Observation => ({
  id,
  chapter,
  sentence,
  value: 'Not part of this run.',
  exchanges: [],
});

/** What a target does where the specification leaves it open, as it stands in a record; the exchanges that show it are added to `cited`. */
export function observationOf(entry: Entry, evidence: Evidence, cited: Set<Exchange>): Observation {
  const observable = observables.find(({ id }) => id === entry.id);
  const { value, exchanges = [], warning } = observable?.observe(evidence) ?? { value: BINDS_CLIENTS };
  for (const exchange of exchanges) cited.add(exchange);
  return {
    id: entry.id,
    chapter: entry.chapter,
    sentence: entry.sentence,
    value,
    exchanges: exchanges.map(({ n }) => n),
    ...(warning === undefined ? {} : { warning }),
  };
}
