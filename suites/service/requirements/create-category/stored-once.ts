import { countOf, quoted } from '../../../../kernel/basics/text.ts';
import { groupedBy } from '../../../../kernel/exchanges/collections.ts';
import { exchangeName } from '../../../../kernel/exchanges/exchange-text.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { inconclusive, pass, warn } from '../../../../kernel/findings/judgement.ts';
import type { Creation } from '../../evidence/categories.ts';
import { creationsSeen, lists, namesSentOnce } from '../../evidence/categories.ts';
import type { List, Seen } from '../../evidence/category-list.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { jsonValueText } from '../../evidence/json-value-text.ts';
import { listAfterCreations } from '../../probes/creations.ts';

/**
 * CREATE-14: a name that one request of the run sent stands in a list under one
 * id. Names are unique to a run, so a second category came from the same creation,
 * as where a gateway sends it again. A name that was sent twice, or that is too
 * short to be the run's own, proves nothing; nor does a list that repeats a row.
 */
export function storedOnce(evidence: Evidence): Judgement {
  const byContents = groupedBy(lists(evidence), ({ contents }) => contents);
  const once = evidence.fact(namesSentOnce);
  const made = creationsSeen(evidence).filter(({ sent }) => once.has(sent?.name ?? ''));
  const named = [...byContents.keys()].flatMap((contents) =>
    [...new Set(contents.items.map(({ name }) => name))].map((name) => ({ name, contents })),
  );
  const holding = groupedBy(named, ({ name }) => name);
  let compared = 0;
  for (const creation of made) {
    let twice: List | undefined;
    for (const { contents } of holding.get(creation.sent?.name) ?? []) {
      const entries = contents.named(creation.sent?.name);
      const list = byContents
        .get(contents)
        ?.find(({ exchange }) => exchange.sent.mono >= creation.exchange.received.mono);
      if (list === undefined) continue;
      compared += 1;
      const isEarlier = twice === undefined || list.exchange.sent.mono < twice.exchange.sent.mono;
      if (idsOf(entries).length > 1 && isEarlier) twice = list;
    }
    if (twice !== undefined) return repeated(creation, twice);
  }
  if (compared === 0) return inconclusive(evidence.whyNothing(listAfterCreations));
  return pass(
    `${countOf(made.length, 'creation')} with a name of its own ${made.length === 1 ? 'was' : 'were'} answered 201, and no list shows such a name under two ids.`,
  );
}

function repeated({ exchange, sent }: Creation, list: List): Judgement {
  const ids = idsOf(list.contents.named(sent?.name));
  return warn(
    {
      expected: `one category named ${quoted(sent?.name ?? '')}, as one request sent it (${exchangeName(exchange)})`,
      received: `${ids.length} of them in ${exchangeName(list.exchange)}, with the ids ${ids.join(' and ')}`,
    },
    [exchange, list.exchange],
  );
}

const idsOf = (entries: readonly Seen[]): readonly string[] => [
  ...new Set(entries.map(({ id }) => jsonValueText(id))),
];
