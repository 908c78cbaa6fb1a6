import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { Observation } from '../../../kernel/findings/record.ts';
import type { Entry } from '../../../spec/register.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Observed } from '../evidence/requirement.ts';
import { isSelected } from '../evidence/selection.ts';
import { observables } from '../requirements/index.ts';

/** Why a test of a service says nothing about a requirement on clients, and which command does. */
export const BINDS_CLIENTS =
  'This requirement is for clients; certify tests services. To test a client, run `petstore-conformance certify-client -- COMMAND`.';

/** What a target does where the specification leaves it open, as it stands in a record; the exchanges that show it are added to `cited`. */
export function observationOf(entry: Entry, evidence: Evidence, cited: Set<Exchange>): Observation {
  const { id, chapter, sentence } = entry;
  const { value, exchanges = [], warning } = observed(id, evidence);
  for (const exchange of exchanges) cited.add(exchange);
  return {
    id,
    chapter,
    sentence,
    value,
    exchanges: exchanges.map(({ n }) => n),
    ...(warning === undefined ? {} : { warning }),
  };
}

function observed(id: string, evidence: Evidence): Observed {
  if (!isSelected(id, evidence.run.selection)) return { value: 'Not part of this run.' };
  const observable = observables.find((one) => one.id === id);
  return observable?.observe(evidence) ?? { value: BINDS_CLIENTS };
}
