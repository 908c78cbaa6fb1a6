import { capitalized, countOf, quoted } from '../../../../kernel/basics/text.ts';
import { groupedBy } from '../../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import { exchangeName, responseText } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, MOST_CITED, pass } from '../../../../kernel/findings/judgement.ts';
import { documented } from '../../evidence/answers.ts';
import type { Sighting } from '../../evidence/categories.ts';
import { createdBy, sentCategory } from '../../evidence/categories.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { bodyFields, canonical, fieldsOf, numberText } from '../../evidence/json.ts';
import { isRejected } from '../../probes/category-requests.ts';

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
  documented(evidence, 201)
    .filter(({ request }) => request.method === 'POST')
    .flatMap((exchange) => {
      const seen = createdBy(evidence, exchange);
      return seen?.id === undefined ? [] : [{ exchange, seen }];
    });

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
