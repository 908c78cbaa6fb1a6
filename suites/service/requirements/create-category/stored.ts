import { capitalized, countOf, quoted } from '../../../../kernel/basics/text.ts';
import { greatest, groupedBy, once } from '../../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import { exchangeName, isRateLimited, responseText } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, MOST_CITED, pass, warn } from '../../../../kernel/findings/judgement.ts';
import { documented } from '../../evidence/answers.ts';
import type { Contents, Creation, List, Seen, Sighting } from '../../evidence/categories.ts';
import {
  created,
  createdBy,
  creationsSeen,
  lists,
  namesSentOnce,
  sentCategory,
  withoutRepeated,
} from '../../evidence/categories.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import {
  bodyFields,
  canonical,
  fieldsOf,
  jsonIn,
  jsonValueText,
  numberText,
  stringsIn,
} from '../../evidence/json.ts';
import { isRejected, SHORTEST_NAME } from '../../probes/category-requests.ts';
import type { ProbeId } from '../../probes/index.ts';

/** Two of one name are not compared: "uniqueness rules … not shown", so a service may return the category that has the name. */
export function distinctIds(evidence: Evidence): Judgement {
  const first = new Map<string, Sighting>();
  let again = 0;
  for (const one of numbered(evidence)) {
    const key = `${one.exchange.caller} ${one.seen.id}`;
    const before = first.get(key);
    if (before === undefined) first.set(key, one);
    else if (returnsTheSame(before, one)) again += 1;
    else {
      return fail({
        expected: 'two ids for two creations',
        received: `the id ${idText(one.seen.id ?? '')} in both ${exchangeName(before.exchange)} and ${exchangeName(one.exchange)}`,
        exchanges: [before.exchange, one.exchange],
      });
    }
  }
  if (first.size < 2) return inconclusive(evidence.whyNothing('creations'));
  const repeated =
    again === 0
      ? ''
      : ` ${countOf(again, 'further creation')} had the name and the id of one of them: the specification does not say whether names are unique.`;
  return pass(
    `${first.size} creations of this run returned 201 with an id, and all of these ids differ.${repeated}`,
    [...first.values()].slice(0, MOST_CITED).map(({ exchange }) => exchange),
  );
}

const numbered = (evidence: Evidence): readonly Sighting[] =>
  evidence
    .fact(created)
    .filter(({ exchange, seen }) => exchange.request.method === 'POST' && seen.id !== undefined);

/** One name sent or got back, and the same category in the second 201. Another description is another category. */
function returnsTheSame(one: Sighting, other: Sighting): boolean {
  const sent = [one, other].map(({ exchange }) => sentCategory(exchange)?.name.trim());
  const seen = [one, other].map((each) =>
    typeof each.seen.name === 'string' ? each.seen.name.trim() : undefined,
  );
  const haveOneName =
    (sent[0] !== undefined && sent[0] === sent[1]) || (seen[0] !== undefined && seen[0] === seen[1]);
  return haveOneName && (one.seen.description ?? '') === (other.seen.description ?? '');
}

/** Judges that no id that a client sent was adopted, even of another category. A rejection for the id adopts nothing. */
export function ownIdsIgnored(evidence: Evidence): Judgement {
  const sending = evidence.of('creations').filter((exchange) => sentId(exchange) !== undefined);
  const byAdoption = groupedBy(sending, (exchange) => adoptionOf(evidence, exchange));
  const [adopted] = byAdoption.get('adopted') ?? [];
  if (adopted !== undefined)
    return fail({
      expected: 'an id that the service assigns',
      received: `the id ${idText(sentId(adopted) ?? '')} that the client sent, in ${exchangeName(adopted)}`,
      exchanges: [adopted],
    });
  const [unclear] = byAdoption.get('unclear') ?? [];
  const shown =
    unclear === undefined
      ? undefined
      : `${capitalized(exchangeName(unclear))} shows nothing: it got the id that it sent, and creations that sent none may have got it, too.`;
  const notAdopted = byAdoption.get('not adopted');
  if (notAdopted === undefined)
    return inconclusive(
      shown ?? 'No creation that sent an id returned 201 with an id or rejected with 400.',
      sending.slice(0, MOST_CITED),
    );
  const results = notAdopted.map((exchange) => adoptionText(evidence, exchange)).join('; ');
  return pass(`Not adopted: ${results}.${shown === undefined ? '' : ` ${shown}`}`, notAdopted);
}

/** The ids that a client sent and that became those of categories. */
export const adoptedIds = (evidence: Evidence): ReadonlySet<string> =>
  new Set(
    evidence
      .of('creations')
      .filter((exchange) => sentId(exchange) !== undefined && adoptionOf(evidence, exchange) === 'adopted')
      .map((exchange) => canonical(sentId(exchange) ?? '')),
  );

/** `unclear`: creations that sent none may have got it, too. `unknown`: neither adopted nor rejected. */
type Adoption = 'adopted' | 'not adopted' | 'unclear' | 'unknown';

function adoptionOf(evidence: Evidence, exchange: Exchange): Adoption {
  const got = idOf(evidence, exchange);
  if (got === undefined) return isRejected(exchange) ? 'not adopted' : 'unknown';
  if (canonical(got) !== canonical(sentId(exchange) ?? '')) return 'not adopted';
  return mayBeUsual(evidence, canonical(got)) ? 'unclear' : 'adopted';
}

function adoptionText(evidence: Evidence, exchange: Exchange): string {
  const got = idOf(evidence, exchange);
  return `${exchangeName(exchange)} sent the id ${idText(sentId(exchange) ?? '')} and got ${got === undefined ? responseText(exchange) : idText(got)}`;
}

/** Whether more than one creation that sent no id may have got this one. An id that was not recorded may be this one. */
const mayBeUsual = (evidence: Evidence, id: string): boolean =>
  documented(evidence, 201)
    .filter((exchange) => exchange.request.method === 'POST' && sentId(exchange) === undefined)
    .map((exchange) => idOf(evidence, exchange))
    .filter((got) => got === undefined || canonical(got) === id).length > 1;

/** An id inside a sentence: a number as it is, anything else in quotation marks. */
const idText = (id: string): string => (/^[-+.0-9eE]{1,40}$/.test(id) ? id : quoted(id));

/** The id that a creation sent, as text; undefined where it sent none. */
const sentId = ({ request }: Exchange): string | undefined => numberText(bodyFields(request.body)?.get('id'));

/** The id in a 201: a number or, against the schema, a string. */
function idOf(evidence: Evidence, exchange: Exchange): string | undefined {
  const seen = statusOf(exchange) === 201 ? createdBy(evidence, exchange) : undefined;
  const id = fieldsOf(seen?.value)?.get('id');
  return seen?.id ?? (typeof id === 'string' ? id : undefined);
}

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
    const createsNothing = isDocumentedOperation(exchange) && (status === 400 || status === 401);
    if (exchange.caller === 'unauthenticated' && isRateLimited(exchange)) continue;
    for (const mark of marksOf(exchange)) {
      if (!createsNothing) kept.add(mark);
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
