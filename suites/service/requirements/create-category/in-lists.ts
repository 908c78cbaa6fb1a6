import { countOf, quoted } from '../../../../kernel/basics/text.ts';
import { greatest, once } from '../../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import { exchangeName, isRateLimited, responseText } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass, warn } from '../../../../kernel/findings/judgement.ts';
import type { Contents, Creation, List, Seen } from '../../evidence/categories.ts';
import { creationsSeen, lists, namesSentOnce, withoutRepeated } from '../../evidence/categories.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { fieldsOf, jsonIn, jsonValueText, stringsIn } from '../../evidence/json.ts';
import { SHORTEST_NAME } from '../../probes/category-requests.ts';
import type { ProbeId } from '../../probes/index.ts';

/** Judges that no creation that returned 400 or 401 stands in a list after it (CREATE-10). */
export function nothingCreated(evidence: Evidence): Judgement {
  const all = evidence.fact(lists);
  for (const list of all) {
    const found = madeAnyway(list, evidence);
    if (found === undefined) continue;
    const [exchange, item] = found;
    return fail({
      expected: `no category from ${exchangeName(exchange)}, which returned ${responseText(exchange)}`,
      received: `a list with that category (id ${jsonValueText(item.id)}, name ${jsonValueText(item.name)}) in ${exchangeName(list.exchange)}`,
      exchanges: [exchange, list.exchange],
    });
  }
  const rejected = [...new Set(evidence.fact(marked).values())];
  // One of these lists was requested after each.
  const searchedIn = (some: readonly List[]): number => {
    const last = greatest(some.map(({ exchange }) => exchange.sent.mono));
    return rejected.filter(({ received }) => received.mono <= last).length;
  };
  const searched = searchedIn(all.filter(({ isPart }) => !isPart));
  if (searched > 0)
    return pass(
      `${countOf(searched, 'creation')} with a text unique to this run returned 400 or 401, and no later list contains such a text.`,
    );
  return searchedIn(all) === 0
    ? inconclusive(evidence.whyNothing('rejections'))
    : inconclusive(
        'Every later list is marked as one page of several, so the created category may be on another page.',
        all.slice(0, 1).map(({ exchange }) => exchange),
      );
}

/** By strings that no other creation sent: one that was answered otherwise may have stored them, and so may a 429. */
function marked(evidence: Evidence): ReadonlyMap<string, Exchange> {
  const found = new Map<string, Exchange>();
  const kept = new Set<string>();
  for (const exchange of evidence.exchanges) {
    const status = statusOf(exchange);
    const isRejected = isDocumentedOperation(exchange) && (status === 400 || status === 401);
    if (exchange.caller === 'unauthenticated' && isRateLimited(exchange)) continue;
    for (const mark of marksOf(exchange)) {
      if (!isRejected) kept.add(mark);
      else if (!found.has(mark)) found.set(mark, exchange);
    }
  }
  return new Map([...found].filter(([mark]) => !kept.has(mark)));
}

/** The strings of a creation that are long enough to be its own; of malformed JSON, and of JSON in a string, its name. */
function marksOf({ probe, request: { body } }: Exchange): readonly string[] {
  if (body === null) return [];
  const json = jsonIn(body);
  const strings = json === undefined ? [] : ownStrings(probe, json);
  const written = json === undefined ? [body.text] : strings;
  return [...strings, ...written.flatMap((text) => NAME.exec(text)?.slice(1) ?? [])].filter(
    (text) => text.length >= SHORTEST_NAME,
  );
}

/** In these probes every string is unique to the run; elsewhere only names are, and a description may be that of an earlier run. */
const ALL_OWN: ReadonlySet<string> = new Set<ProbeId>(['rejections', 'unauthenticated-creations']);

function ownStrings(probe: string, body: unknown): readonly string[] {
  if (ALL_OWN.has(probe)) return stringsIn(body);
  const name = fieldsOf(body)?.get('name');
  return typeof name === 'string' ? [name] : [];
}

const NAME = /"name":"([^"]{1,200})"/;

type Marked = readonly (readonly [exchange: Exchange, item: Seen])[];

/** Every item of every list that holds a string of such a creation, once for lists with the same body. */
function markedItems(evidence: Evidence): ReadonlyMap<Contents, Marked> {
  const marks = evidence.fact(marked);
  const markedIn = (item: Seen): Marked =>
    stringsIn(item.value).flatMap((text) => {
      const exchange = marks.get(text);
      return exchange === undefined ? [] : [[exchange, item] as const];
    });
  const different = withoutRepeated(evidence.fact(lists));
  return new Map(different.map(({ contents }) => [contents, contents.items.flatMap(markedIn)]));
}

/** The creation that returned 400 or 401 and stands in this later list, and its entry there. */
function madeAnyway({ exchange, contents }: List, evidence: Evidence): Marked[number] | undefined {
  return evidence
    .fact(markedItems)
    .get(contents)
    ?.find(([creation]) => creation.received.mono <= exchange.sent.mono);
}

/** Names are unique to a run, so a second category came from the same creation, as where a gateway sends it again. */
export function storedOnce(evidence: Evidence): Judgement {
  const sentOnce = evidence.fact(namesSentOnce);
  const made = evidence.fact(creationsSeen).filter(({ sent }) => sentOnce.has(sent?.name ?? ''));
  const byName = new Map<unknown, Creation>(made.map((creation) => [creation.sent?.name, creation]));
  const shownIn = once(({ items, named }: Contents) =>
    [...new Set(items.map(({ name }) => name))].flatMap((name) => {
      const creation = byName.get(name);
      return creation === undefined ? [] : [{ creation, ids: idsOf(named(name)) }];
    }),
  );
  let compared = 0;
  for (const { exchange, contents } of evidence.fact(lists)) {
    for (const { creation, ids } of shownIn(contents)) {
      if (exchange.sent.mono < creation.exchange.received.mono) continue;
      compared += 1;
      if (ids.length > 1) return repeated(creation, exchange, ids);
    }
  }
  if (compared === 0) return inconclusive(evidence.whyNothing('list-after-creations'));
  return pass(
    `${countOf(made.length, 'creation')} with a name of its own ${made.length === 1 ? 'was' : 'were'} answered 201, and no list shows such a name under two ids.`,
  );
}

function repeated({ exchange, sent }: Creation, list: Exchange, ids: readonly string[]): Judgement {
  return warn({
    expected: `one category named ${quoted(sent?.name ?? '')}, as one request sent it (${exchangeName(exchange)})`,
    received: `${ids.length} of them in ${exchangeName(list)}, with the ids ${ids.join(' and ')}`,
    exchanges: [exchange, list],
  });
}

const idsOf = (entries: readonly Seen[]): readonly string[] => [
  ...new Set(entries.map(({ id }) => jsonValueText(id))),
];
