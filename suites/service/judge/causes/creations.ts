import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { answerOf } from '../../../../kernel/exchanges/headers.ts';
import type { RequirementId } from '../../../../spec/register.ts';
import { isSuccess } from '../../evidence/answers.ts';
import type { Sighting } from '../../evidence/categories.ts';
import { createdBy, listsByExchange } from '../../evidence/categories.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { jsonIn } from '../../evidence/json.ts';
import { adoptedIds as idsAdopted } from '../../requirements/create-category/stored.ts';
import type { KnownCause, Rule } from './rule.ts';
import { commonStatus, symptom, untested } from './rule.ts';

const INVALID_BODIES: readonly RequirementId[] = [
  'CREATE-4',
  'CREATE-5',
  'CREATE-6',
  'CREATE-7',
  'CREATE-8',
  'CREATE-9',
];
const CREATIONS: readonly RequirementId[] = ['CREATE-1', 'CREATE-2', 'MEDIA-3'];
/** What fails besides CREATE-12 where an id is adopted that another category has. */
const OF_IDS: readonly RequirementId[] = ['CREATE-11', 'CREATE-12', 'LIST-3'];
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
export const invalidBody: Rule<keyof typeof creations> = ({ id, exchanges }) => {
  const status = commonStatus(exchanges);
  const isCrash = status !== undefined && status >= 500;
  if (!INVALID_BODIES.includes(id) && !(id === 'HTTP-4' && isCrash && exchanges.every(isInvalidCreation)))
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

const isInvalidCreation = ({ probe }: Exchange): boolean => probe === 'rejections';

export const createdStatus: Rule<keyof typeof creations> = ({ id, exchanges }) => {
  const status = CREATIONS.includes(id) ? commonStatus(exchanges) : undefined;
  return status === undefined || !exchanges.every(isSuccess) || status === 201
    ? undefined
    : symptom('created-status', `Creations return ${status} instead of 201.`);
};

/** An id of a client that became the id of a category; where another category has it, too, two have one id, or one is lost. */
export const adoptedId: Rule<keyof typeof creations> = ({ id, exchanges }, evidence) => {
  if (!OF_IDS.includes(id)) return undefined;
  const adopted = evidence.fact(idsAdopted);
  return exchanges.some((exchange) => adopted.has(createdBy(evidence, exchange)?.id ?? ''))
    ? symptom('adopted-id', 'An id that the client sends becomes the id of the category.')
    : undefined;
};

/** Categories whose fields have other types: because invalid bodies were stored, or because the service writes them so. */
export const categoryFields: Rule<keyof typeof creations> = ({ id, exchanges: [first] }, evidence) => {
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
      .of('rejections')
      .filter(isSuccess)
      .flatMap((exchange) => createdBy(evidence, exchange)?.id ?? []),
  );

/** The categories that one exchange shows: that of a creation, or those of a list. */
function sightingsIn(evidence: Evidence, exchange: Exchange): readonly Sighting[] {
  const items = evidence.fact(listsByExchange).get(exchange)?.contents.items;
  const created = exchange.request.method === 'POST' ? createdBy(evidence, exchange) : undefined;
  return (items ?? (created === undefined ? [] : [created])).map((seen) => ({ exchange, seen }));
}

export const creations = {
  'invalid-body-status': {
    violates: INVALID_BODIES,
    where: 'where invalid bodies get another status',
    inGeneral:
      'Answer 400 for every invalid body: in one place, which is the error handler where the framework validates.',
    FastAPI: untested(
      'Add `@app.exception_handler(RequestValidationError)` that returns a `JSONResponse` with status 400; the default is 422.',
    ),
    Laravel: untested(
      'Render `ValidationException` with status 400 (`withExceptions` in `bootstrap/app.php`); the default is 422.',
    ),
    NestJS: untested('Leave `errorHttpStatusCode` of `ValidationPipe` out: the default is 400.'),
    Rails: untested(
      'Render validation errors with `status: :bad_request` instead of `:unprocessable_entity`.',
    ),
  },
  'invalid-body-crash': {
    violates: INVALID_BODIES,
    where: 'where invalid bodies get a server error',
    inGeneral:
      'Reading the body throws, or using a value of another type: answer 400 unless the body is a JSON object with a `name` that is a string, before you use it.',
    Express:
      "A field of `req.body` may have any type or be absent: answer 400 unless `typeof name === 'string'`, before you call a method of it.",
    Hono: '`c.req.json()` throws where the body is absent or malformed: write `await c.req.json().catch(() => undefined)`, and answer 400 unless that is an object.',
  },
  'absent-body-crash': {
    violates: ['CREATE-8'],
    where: 'where an absent body gets a server error',
    inGeneral:
      'Without a body, or with `null`, there is no object: check for that before you read a field of it, and answer 400.',
    Express:
      'In Express 5 `req.body` is `undefined` where a request has no body: read it as `req.body ?? {}`, and answer 400 where `name` is missing.',
    Fastify:
      '`request.body` is `undefined` or `null` where a request has no body: read it as `request.body ?? {}`, and answer 400 where `name` is missing.',
  },
  'invalid-body-accepted': {
    violates: INVALID_BODIES,
    where: 'where invalid bodies are accepted',
    inGeneral:
      'Answer 400 unless the body is a JSON object whose `name` is a string and whose `description` is absent or a string. Switch type conversion off, and read the body to its end.',
    Express:
      "`express.json()` only parses: answer 400 unless `typeof name === 'string'`, and unless `description` is `undefined` or a string.",
    Fastify:
      'Give the route a schema of its body, and create Fastify with `ajv: { customOptions: { coerceTypes: false } }`: otherwise it converts types before it validates.',
    NestJS: untested(
      'Register `new ValidationPipe()` without `enableImplicitConversion`, and declare `@IsString()` on `name` and `description`.',
    ),
    FastAPI: untested('Declare `name` and `description` as `StrictStr`, so that numbers are not converted.'),
    'Django REST framework': untested(
      '`CharField` converts numbers: reject every value that is no `str` in `to_internal_value` of a subclass.',
    ),
    Spring: untested(
      'Jackson converts numbers and booleans to strings: forbid it with `coercionConfigFor(LogicalType.Textual)`, and add `@NotNull` with `@Valid`.',
    ),
    Laravel: untested(
      'Validate with the rules `required|string` for `name` and `nullable|string` for `description`.',
    ),
    'Go net/http':
      '`json.Decoder.Decode` stops after the first value and leaves absent fields empty: use `json.Unmarshal` and check `name` yourself.',
  },
  'created-status': {
    violates: CREATIONS,
    where: 'where creations get another status than 201',
    inGeneral: 'Answer a creation with 201.',
    Express: 'Write `res.status(201).json(category)`.',
    Fastify: 'Write `reply.code(201).send(category)`.',
    FastAPI: untested('Declare the route with `status_code=201`.'),
    Flask: 'Return the category with its status: `return category, 201`.',
    Spring: untested('Add `@ResponseStatus(HttpStatus.CREATED)` to the method.'),
    'ASP.NET Core': untested('Return `Results.Created` or `CreatedAtAction`.'),
    Rails: untested('Render with `status: :created`.'),
  },
  'adopted-id': {
    violates: ['CREATE-12'],
    where: 'where the id comes from the body',
    inGeneral:
      'Take only `name` and `description` from the body: a copy of the whole body overwrites the id of the service.',
    Express:
      'Take `const { name, description } = req.body ?? {}`, and store `{ id, name, description }`: with `...req.body` an `id` in the body overwrites that of the service.',
    Fastify:
      'Take `const { name, description } = request.body ?? {}`, and store `{ id, name, description }`: with `...request.body` an `id` in the body overwrites that of the service.',
  },
  'category-fields': {
    violates: ['CAT-1', 'CAT-2', 'CAT-3'],
    where: 'where a field has another type',
    inGeneral:
      'Write `id` as a JSON integer, `name` as a string, and `description` as a string or not at all. Correct what is already stored, too.',
  },
  'list-envelope': {
    violates: ['LIST-2'],
    where: 'where the list is no array',
    shows: {
      title: 'The list is no JSON array.',
      when([first]) {
        const json = jsonIn(answerOf(first)?.body);
        return json !== undefined && !Array.isArray(json);
      },
    },
    inGeneral: 'Write the array itself as the body of the list, without an object around it.',
    Express: 'Write `res.json(categories)` instead of `res.json({ categories })`.',
  },
} as const satisfies Readonly<Record<string, KnownCause>>;
