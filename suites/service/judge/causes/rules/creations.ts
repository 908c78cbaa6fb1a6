import type { Exchange } from '../../../../../kernel/exchanges/exchange.ts';
import { answerOf } from '../../../../../kernel/exchanges/headers.ts';
import { isSuccess } from '../../../evidence/answers.ts';
import { createdBy, listsByExchange } from '../../../evidence/categories.ts';
import type { Sighting } from '../../../evidence/category-list.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { jsonIn } from '../../../evidence/json.ts';
import { rejections } from '../../../probes/rejections.ts';
import { adoptedIds as idsAdopted } from '../../../requirements/create-category/ids.ts';
import type { Rule } from './rule.ts';
import { commonStatus, symptom } from './rule.ts';

export const INVALID_BODIES: ReadonlySet<string> = new Set([
  'CREATE-4',
  'CREATE-5',
  'CREATE-6',
  'CREATE-7',
  'CREATE-8',
  'CREATE-9',
]);
export const CREATIONS: ReadonlySet<string> = new Set(['CREATE-1', 'CREATE-2', 'MEDIA-3']);
/** What fails besides CREATE-12 where an id is adopted that another category has. */
const OF_IDS: ReadonlySet<string> = new Set(['CREATE-11', 'CREATE-12', 'LIST-3']);
/** The fields of a category that a requirement is about; of any of them where there is no entry. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['CAT-1', ['id']],
  ['CAT-2', ['name']],
  ['CAT-3', ['description']],
  ['CREATE-3', ['id']],
  ['LIST-2', ['id', 'name', 'description']],
]);
/** Statuses of HTTP for content that is absent or has no type: a server sends them before it validates anything. */
const ABOUT_CONTENT: ReadonlySet<number> = new Set([411, 415]);

/** What the response to a creation with an invalid body was, and what follows from that: a 5xx also violates HTTP-4. */
export const invalidBody: Rule = ({ id, exchanges }) => {
  const status = commonStatus(exchanges);
  const isCrash = status !== undefined && status >= 500;
  if (!INVALID_BODIES.has(id) && !(id === 'HTTP-4' && isCrash && exchanges.every(isInvalidCreation)))
    return undefined;
  if (exchanges.every(isSuccess)) return ACCEPTED;
  if (status === undefined || ABOUT_CONTENT.has(status)) return undefined;
  const title = `Creations with an invalid body return ${status} instead of 400.`;
  if (!isCrash) return symptom('invalid-body-status', title);
  return symptom(exchanges.every(isWithoutBody) ? 'absent-body-crash' : 'invalid-body-crash', title);
};

/** Whether there is nothing to read a field of: no body, or one that is null. */
const isWithoutBody = ({ request: { body } }: Exchange): boolean =>
  body === null || /^\s*(null)?\s*$/.test(body.text);

const ACCEPTED = symptom('invalid-body-accepted', 'Creations with an invalid body are accepted.');

const isInvalidCreation = ({ probe }: Exchange): boolean => probe === rejections.id;

export const createdStatus: Rule = ({ id, exchanges }) => {
  const status = CREATIONS.has(id) ? commonStatus(exchanges) : undefined;
  return status === undefined || !exchanges.every(isSuccess) || status === 201
    ? undefined
    : symptom('created-status', `Creations return ${status} instead of 201.`);
};

/** An id of a client that became the id of a category; where another category has it, too, two have one id, or one is lost. */
export const adoptedId: Rule = ({ id, exchanges }, evidence) => {
  if (!OF_IDS.has(id)) return undefined;
  const adopted = evidence.fact(idsAdopted);
  return exchanges.some((exchange) => adopted.has(createdBy(evidence, exchange)?.id ?? ''))
    ? symptom('adopted-id', 'An id that the client sends becomes the id of the category.')
    : undefined;
};

/** Categories whose fields have other types: because invalid bodies were stored, or because the service writes them so. */
export const categoryFields: Rule = ({ id, exchanges: [first] }, evidence) => {
  const fields = FIELDS.get(id);
  if (fields === undefined) return undefined;
  const problems = sightingsIn(evidence, first).flatMap((sighting) =>
    sighting.seen.problems
      .filter(({ field }) => fields.includes(field ?? ''))
      .map((problem) => ({ ...problem, sighting })),
  );
  const violations = problems.filter(({ kind }) => kind === 'violation');
  const broken = violations.length > 0 ? violations : problems;
  const [one] = broken;
  if (one === undefined) return undefined;
  const stored = evidence.fact(idsOfInvalidBodies);
  const comesFromBody = broken.every(
    ({ sighting: { exchange, seen }, field }) =>
      field !== 'id' && (isInvalidCreation(exchange) || stored.has(seen.id ?? '')),
  );
  return comesFromBody
    ? ACCEPTED
    : symptom('category-fields', `Categories have an invalid \`${one.field ?? ''}\`.`);
};

const idsOfInvalidBodies = (evidence: Evidence): ReadonlySet<string> =>
  new Set(
    evidence
      .of(rejections)
      .filter(isSuccess)
      .flatMap((exchange) => createdBy(evidence, exchange)?.id ?? []),
  );

/** The categories that one exchange shows: that of a creation, or those of a list. */
function sightingsIn(evidence: Evidence, exchange: Exchange): readonly Sighting[] {
  const items = evidence.fact(listsByExchange).get(exchange)?.contents.items;
  const created = exchange.request.method === 'POST' ? createdBy(evidence, exchange) : undefined;
  return (items ?? (created === undefined ? [] : [created])).map((seen) => ({ exchange, seen }));
}

export const listEnvelope: Rule = ({ id, exchanges: [first] }) => {
  const json = id === 'LIST-2' ? jsonIn(answerOf(first)?.body) : undefined;
  return json === undefined || Array.isArray(json.value)
    ? undefined
    : symptom('list-envelope', 'The list is no JSON array.');
};
