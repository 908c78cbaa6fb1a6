import { completeText } from '../../../../kernel/exchanges/body.ts';
import type { Answer, Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { answerOf, headerValues } from '../../../../kernel/exchanges/headers.ts';
import type { JudgedHeader } from '../../../../kernel/exchanges/judged-headers.ts';
import { bodyFields } from '../../evidence/json.ts';

/** Frameworks whose default responses are recognised. */
export type Framework = (typeof SIGNS)[number]['framework'];

/** A framework, and whether the sign is its own (`sure`) or that of others as well. */
export interface Recognised<F extends string = Framework> {
  readonly framework: F;
  readonly sure: boolean;
  /** Whether the body is the framework's own; else code of the service may have written it. */
  readonly wroteBody: boolean;
}

/** What a response of the framework looks like as shipped; all that is stated. */
interface Looks {
  readonly headers?: readonly (readonly [name: JudgedHeader, pattern: RegExp])[];
  /** A pattern of the beginning of the body; longer ones are no default response, and every pattern stays quick. */
  readonly text?: RegExp;
  /** Top-level fields of a JSON body … */
  readonly has?: readonly string[];
  /** … beside which there are no others … */
  readonly only?: readonly string[];
  /** … one that is a list … */
  readonly list?: string;
  /** … and one that is a string. */
  readonly field?: readonly [name: string, pattern: RegExp];
}

type Sign<F extends string> = Recognised<F> & { readonly looks: Looks };

const LONGEST_TEXT = 4096;

function shows(
  { headers = [], text, has = [], only, list, field }: Looks,
  answer: Answer,
  beginning: string,
  fields: ReadonlyMap<string, unknown>,
): boolean {
  const value = fields.get(field?.[0] ?? '');
  return (
    headers.every(([name, pattern]) => headerValues(answer.headers, name).some((one) => pattern.test(one))) &&
    (text === undefined || text.test(beginning)) &&
    [...has, ...(only ?? [])].every((name) => fields.has(name)) &&
    (only === undefined || fields.size === only.length) &&
    (list === undefined || Array.isArray(fields.get(list))) &&
    (field === undefined || (typeof value === 'string' && field[1].test(value)))
  );
}

const sign = <F extends string>(framework: F, sure: boolean, looks: Looks): Sign<F> => ({
  framework,
  sure,
  wroteBody: true,
  looks,
});
/** A sign that every response of the framework has, whatever wrote the body. */
const server = <F extends string>(framework: F, name: JudgedHeader, pattern: RegExp, sure = true) => ({
  ...sign(framework, sure, { headers: [[name, pattern]] }),
  wroteBody: false,
});

/**
 * The signs, the more specific ones first: NestJS runs on Express and says so. Seen of Express 5, Fastify 5, Hono 4,
 * NestJS 11, FastAPI 0.165, Flask 3, Django 5.2, Django REST framework 3.18 and Go 1.26; others are documented.
 */
const SIGNS = [
  sign('NestJS', true, { has: ['message', 'statusCode'], field: ['message', /^Cannot [A-Z]+ \//] }),
  sign('NestJS', true, { has: ['message', 'statusCode'], list: 'message' }),
  sign('NestJS', true, { has: ['message', 'statusCode'], headers: [['X-Powered-By', /^Express$/]] }),
  sign('Fastify', true, { field: ['code', /^FST_ERR_/] }),
  sign('Fastify', true, { has: ['statusCode'], field: ['message', /^Route [A-Z]+:\//] }),
  sign('Fastify', false, { only: ['statusCode', 'error', 'message'] }),
  sign('FastAPI', true, { only: ['detail'], list: 'detail', text: /"loc" ?: ?\[/ }),
  sign('Django REST framework', true, {
    field: ['detail', /^(Authentication credentials were not provided\.$|JSON parse error - )/],
  }),
  sign('Django REST framework', true, {
    text: /^\{"\w{1,40}":\["This field (is required|may not be null)\."\]/,
  }),
  sign('FastAPI', true, { only: ['detail'], headers: [['Server', /^uvicorn$/]] }),
  sign('FastAPI', false, {
    only: ['detail'],
    field: ['detail', /^(Not Found|Not authenticated|Method Not Allowed)$/],
  }),
  sign('Spring', true, { has: ['timestamp', 'status', 'error', 'path'] }),
  sign('Spring', true, { text: /<h1>Whitelabel Error Page<\/h1>/ }),
  sign('ASP.NET Core', true, { has: ['type', 'title', 'status', 'traceId'] }),
  server('ASP.NET Core', 'Server', /^Kestrel$/),
  sign('Laravel', true, { field: ['message', /^Unauthenticated\.$/] }),
  server('Laravel', 'Set-Cookie', /^laravel[_-]session=/i),
  sign('Laravel', true, { has: ['message', 'exception', 'file', 'line', 'trace'] }),
  sign('Laravel', false, { only: ['message', 'errors'] }),
  server('Express', 'X-Powered-By', /^Express$/),
  sign('Express', true, {
    text: /^<!DOCTYPE html>\s{0,4}<html lang="en">\s{0,4}<head>\s{0,4}<meta charset="utf-8">\s{0,4}<title>Error<\/title>/,
  }),
  server('Flask', 'Server', /^Werkzeug\//),
  sign('Flask', false, { text: /^<!doctype html>\s{0,4}<html lang=en>\s{0,4}<title>[45]\d\d / }),
  sign('Django', true, { text: /<code>DEBUG = True<\/code>|<title>Page not found at \// }),
  server('Django', 'Server', /^WSGIServer\//),
  sign('Django', false, {
    text: /<h1>Not Found<\/h1><p>The requested resource was not found on this server\.<\/p>/,
  }),
  sign('Rails', true, {
    text: /<title>(Action Controller: Exception caught|The page you were looking for doesn't exist)/,
  }),
  server('Rails', 'X-Runtime', /^\d+\.\d+$/, false),
  sign('Rails', false, { only: ['status', 'error'] }),
  sign('Hono', false, {
    headers: [['Content-Type', /^text\/plain; charset=UTF-8$/]],
    text: /^(404 Not Found|Internal Server Error)$/,
  }),
  // A Response of the Fetch standard that was made from a string (`HTTPException`).
  sign('Hono', false, { headers: [['Content-Type', /^text\/plain;charset=UTF-8$/]] }),
  sign('Go net/http', true, { text: /^404 page not found\n?$/ }),
  sign('Go net/http', false, {
    headers: [
      ['Content-Type', /^text\/plain; charset=utf-8$/],
      ['X-Content-Type-Options', /^nosniff$/],
    ],
  }),
];

export function frameworkOf(exchange: Exchange): Recognised | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined) return undefined;
  const fields = bodyFields(answer.body) ?? new Map<string, unknown>();
  const beginning = (completeText(exchange) ?? '').slice(0, LONGEST_TEXT);
  return SIGNS.find(({ looks }) => shows(looks, answer, beginning, fields));
}
