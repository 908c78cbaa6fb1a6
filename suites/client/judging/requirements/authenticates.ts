import { quoted } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation, operationOf } from '../../../../kernel/exchanges/exchange.ts';
import { headerValue, headerValues, isJsonMediaType } from '../../../../kernel/exchanges/headers.ts';
import { exchangeName } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement, Problem } from '../../../../kernel/findings/judgement.ts';
import {
  fail,
  furtherReasoned,
  inconclusive,
  judgeEach,
  warn,
} from '../../../../kernel/findings/judgement.ts';
import { fieldsOf, jsonOf } from '../../../service/evidence/json.ts';
import { KEY } from '../../model/sender.ts';
import type { ClientRequest } from '../client-request.ts';
import type { ClientEvidence, ClientRequirement } from '../evidence.ts';

/** CLIENT-4: how the key and bodies are sent, on every request. */
export const authenticates: ClientRequirement = {
  id: 'CLIENT-4',
  whyItMatters:
    'A request in another form is rejected, and a key in a query or another header ends up in logs and caches.',
  fix: 'Send `Authorization: Bearer <API_KEY>` once with every request, retries included, and the key nowhere else; send creations as a JSON object with `Content-Type: application/json`, a string `name`, a string `description` or none, and no `id`.',
  fixedIn: 'program',
  judge: judgeForm,
};

function judgeForm(evidence: ClientEvidence): Judgement {
  const requests = evidence.requests.filter(isOfService);
  const exchanges = requests.map(({ exchange }) => exchange);
  const unread = new Set(
    requests
      .filter(({ response }) => response === undefined || response.requestBody?.cut === true)
      .map(({ exchange }) => exchange),
  );
  const found = judgeEach(
    exchanges,
    (exchange) =>
      weighedBy(exchange, keyProblem(exchange) ?? (unread.has(exchange) ? undefined : bodyProblem(exchange))),
    {
      good: 'every request has one `Authorization: Bearer` header with the key, has the key nowhere else, and has its body, where it has one, as the specification describes it',
      none: 'The client sent no request to the service.',
    },
  );
  const created = exchanges.some((exchange) => isCreation(exchange) && !unread.has(exchange));
  return found.verdict === 'pass' && !created
    ? inconclusive(
        `${found.checked} But the client sent no creation, so its bodies are unknown.`,
        found.exchanges,
      )
    : found;
}

/**
 * Whether a request is one of the service. A browser asks with OPTIONS, without the key, whether it may send it. "Both
 * [base addresses] end in the segment /v1": what lies outside it and has no key, as the token endpoint of another service
 * on the same host, is none of its operations.
 */
const isOfService = ({ arrival, exchange, keyed }: ClientRequest): boolean =>
  arrival.method !== 'OPTIONS' &&
  (keyed || /\/v1(\/|$)/.test(pathOf(exchange)) || NAMED.test(operationOf(exchange)));

const pathOf = ({ request }: Exchange): string => request.target.split('?')[0] ?? '';

/** The operations that the specification names. */
const NAMED = /^(GET|POST) .*\/categories$|^GET .*\/(pets\/[^/]+|store\/orders)$/;

/** "Every operation requires a bearer credential" (and a JSON body): whether what it does not name is an operation of the service is open. */
function weighedBy(exchange: Exchange, problem: Problem | undefined): Problem | undefined {
  if (problem?.verdict !== 'fail' || NAMED.test(operationOf(exchange))) return problem;
  return warn(
    furtherReasoned(
      problem,
      'The specification names no such operation. If it is one of the service, this is a violation.',
    ),
  );
}

const isCreation = (exchange: Exchange): boolean =>
  exchange.request.method === 'POST' && isDocumentedOperation(exchange);

const EXPECTED = 'one header `Authorization: Bearer <API_KEY>`';

function keyProblem(exchange: Exchange): Problem | undefined {
  const values = headerValues(exchange.request.headers, 'Authorization');
  const name = exchangeName(exchange);
  const elsewhere = placesOf(exchange.request);
  const [value = ''] = values;
  const [, scheme = '', space = '', key = ''] = /^(\S+)( +)(.*)$/.exec(value) ?? [];
  if (values.length !== 1 || scheme.toLowerCase() !== 'bearer' || key !== KEY) {
    const found = values.length === 0 ? 'none' : `${values.length} of them`;
    return fail({
      expected: EXPECTED,
      received: `${values.length === 1 ? quoted(value) : found} in ${name}`,
      ...(elsewhere.length === 0 ? {} : { reasoning: `The key stands in ${elsewhere.join(' and ')}.` }),
    });
  }
  if (space !== ' ')
    return warn({
      expected: EXPECTED,
      received: `${space.length} spaces after the scheme in ${name}`,
      reasoning: 'RFC 9110 §11.4 permits more than one space, but many servers expect one.',
    });
  if (elsewhere.length > 0)
    return warn({
      expected: 'the key in `Authorization` alone',
      received: `it in ${elsewhere.join(' and ')} as well, in ${name}`,
    });
  return undefined;
}

/** Where else the key stands in a request. */
function placesOf({ headers, target, body }: Exchange['request']): readonly string[] {
  const names = headers
    .filter(([name, value]) => name.toLowerCase() !== 'authorization' && value.includes(KEY))
    .map(([name]) => `the header ${quoted(name)}`);
  const inBody = body?.encoding === 'utf8' && body.text.includes(KEY);
  return [...(target.includes(KEY) ? ['the address'] : []), ...names, ...(inBody ? ['the body'] : [])];
}

function bodyProblem(exchange: Exchange): Problem | undefined {
  const { body, headers } = exchange.request;
  const name = exchangeName(exchange);
  if (body === null)
    return isCreation(exchange)
      ? fail({ expected: 'a JSON object as the body of a creation', received: `no body in ${name}` })
      : undefined;
  const type = headerValue(headers, 'Content-Type');
  if (type === undefined || !isJsonMediaType(type))
    return fail({
      expected: '`Content-Type: application/json` on a request with a body',
      received: `${type === undefined ? 'none, or several different ones,' : quoted(type)} in ${name}`,
    });
  return isCreation(exchange) ? (codingProblem(headers, name) ?? creationProblem(exchange, name)) : undefined;
}

/** A compressed body: its media type is that of the JSON in it (RFC 9110 §8.4), and it is not read here. */
function codingProblem(headers: Exchange['request']['headers'], name: string): Problem | undefined {
  const codings = headerValues(headers, 'Content-Encoding').filter((one) => one.toLowerCase() !== 'identity');
  return codings.length === 0
    ? undefined
    : warn({
        expected: 'a body without a content coding',
        received: `\`Content-Encoding\` ${codings.map(quoted).join(', ')} in ${name}`,
        reasoning: 'The specification names no content coding, and many services decode none in requests.',
      });
}

function creationProblem({ request: { body } }: Exchange, name: string): Problem | undefined {
  const expected = 'a JSON object with a string `name`, a string `description` or none, and no `id`';
  const json = body === null ? undefined : jsonOf(body);
  if (json === undefined || json.kind === 'unjudged')
    return inconclusive(`The body of ${name} was not read: ${json?.because ?? 'it was not kept'}.`);
  const fields = json.kind === 'not json' ? undefined : fieldsOf(json.value);
  const notJson = json.kind === 'not json' ? `no JSON (${quoted(json.because)})` : 'another JSON value';
  const flaw = fields === undefined ? notJson : flawOf(fields);
  if (flaw !== undefined) return fail({ expected, received: `${flaw} in ${name}` });
  return fields?.get('description') === null
    ? warn({
        expected,
        received: `a \`description\` that is null in ${name}`,
        reasoning: 'null is no string, but many services take it for a field that was left out.',
      })
    : undefined;
}

/** What a creation must not have, or lacks; null as a description is another question. */
function flawOf(fields: ReadonlyMap<string, unknown>): string | undefined {
  const [name, description] = [fields.get('name'), fields.get('description')];
  if (fields.has('id')) return 'an `id`';
  if (typeof name !== 'string') return fields.has('name') ? 'a `name` that is no string' : 'no `name`';
  return typeof (description ?? '') === 'string' ? undefined : 'a `description` that is no string';
}
