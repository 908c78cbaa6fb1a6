import { countOf, quoted } from '../../../../kernel/basics/text.ts';
import { groupedBy } from '../../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import { accepted, exchangeName, receivedText } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass, warn } from '../../../../kernel/findings/judgement.ts';
import type { Creation, List, Seen } from '../../evidence/categories.ts';
import { createdBy, creationsSeen, lists, namesSentOnce, sentCategory } from '../../evidence/categories.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { jsonValueText } from '../../evidence/json.ts';
import { sentText } from '../../evidence/valid-creations.ts';
import { firstBatch, listAfterCreations, secondBatch } from '../../probes/creations.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';

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

/** The probes whose creations the specification allows, beside the first ones. */
const FURTHER: ReadonlySet<string> = new Set([firstBatch.id, secondBatch.id, exhaustQuota.id]);

/**
 * A further valid creation that succeeded with another status than "201: JSON Category" (CREATE-1). That it created
 * its category shows in the response or in a list: a success without effect may be a limit in disguise (LIMIT-3).
 */
export function otherSuccess(evidence: Evidence): Judgement | undefined {
  const other = evidence
    .by('key')
    .find(
      (one) =>
        FURTHER.has(one.probe) &&
        one.request.method === 'POST' &&
        accepted(one) &&
        statusOf(one) !== 201 &&
        hasCreated(evidence, one),
    );
  if (other === undefined) return undefined;
  return fail(
    {
      expected: '201 for each valid creation',
      received: `${receivedText(other)}, a creation that created its category (${sentText(other)})`,
    },
    [other],
  );
}

function hasCreated(evidence: Evidence, creation: Exchange): boolean {
  const name = sentCategory(creation)?.name;
  if (name === undefined) return false;
  return (
    createdBy(evidence, creation)?.name === name ||
    lists(evidence).some(
      ({ exchange, contents }) => exchange.n > creation.n && contents.named(name).length > 0,
    )
  );
}
