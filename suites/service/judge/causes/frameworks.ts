import { completeText } from '../../../../kernel/exchanges/body.ts';
import type { Answer, Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { answerOf, headerValues } from '../../../../kernel/exchanges/headers.ts';
import type { JudgedHeader } from '../../../../kernel/exchanges/judged-headers.ts';
import { bodyFields } from '../../evidence/json.ts';

/** Frameworks whose default responses are recognised. */
export type Framework =
  | 'Express'
  | 'Fastify'
  | 'Hono'
  | 'NestJS'
  | 'Spring'
  | 'FastAPI'
  | 'Flask'
  | 'Django'
  | 'Django REST framework'
  | 'Go net/http'
  | 'ASP.NET Core'
  | 'Rails'
  | 'Laravel';

/** A framework, and whether the sign is its own (`sure`) or that of others as well. */
export interface Recognised {
  readonly framework: Framework;
  readonly sure: boolean;
  /** Whether the body is the framework's own; else code of the service may have written it. */
  readonly wroteBody: boolean;
}

/** One sign: what a response of the framework looks like as shipped. */
interface Sign extends Recognised {
  readonly shows: (parts: Parts) => boolean;
}

/** What signs look at. */
interface Parts {
  readonly answer: Answer;
  /** The beginning of the body; longer ones are no default response, and every pattern stays quick. */
  readonly text: string;
  /** The top-level fields of a JSON body; empty for every other body. */
  readonly fields: ReadonlyMap<string, unknown>;
}

const LONGEST_TEXT = 4096;

const header =
  (name: JudgedHeader, pattern: RegExp) =>
  ({ answer }: Parts): boolean =>
    headerValues(answer.headers, name).some((value) => pattern.test(value));
const text =
  (pattern: RegExp) =>
  ({ text: body }: Parts): boolean =>
    pattern.test(body);
const only =
  (...names: readonly string[]) =>
  ({ fields }: Parts): boolean =>
    fields.size === names.length && names.every((name) => fields.has(name));
const has =
  (...names: readonly string[]) =>
  ({ fields }: Parts): boolean =>
    names.every((name) => fields.has(name));
const field =
  (name: string, pattern: RegExp) =>
  ({ fields }: Parts): boolean => {
    const value = fields.get(name);
    return typeof value === 'string' && pattern.test(value);
  };
const all =
  (...signs: readonly Sign['shows'][]): Sign['shows'] =>
  (parts) =>
    signs.every((shows) => shows(parts));
const sign = (framework: Framework, sure: boolean, shows: Sign['shows']): Sign => ({
  framework,
  sure,
  wroteBody: true,
  shows,
});
/** A sign that every response of the framework has, whatever wrote the body. */
const server = (framework: Framework, name: JudgedHeader, pattern: RegExp, sure = true): Sign => ({
  framework,
  sure,
  wroteBody: false,
  shows: header(name, pattern),
});

const isList =
  (name: string) =>
  ({ fields }: Parts): boolean =>
    Array.isArray(fields.get(name));

/**
 * The signs, the more specific ones first: NestJS runs on Express and says so.
 * Seen of Express 5, Fastify 5, Hono 4, NestJS 11, FastAPI 0.165, Flask 3, Django 5.2,
 * Django REST framework 3.18 and Go 1.26; those of the others are documented.
 */
const SIGNS: readonly Sign[] = [
  sign('NestJS', true, all(has('message', 'statusCode'), field('message', /^Cannot [A-Z]+ \//))),
  sign('NestJS', true, all(has('message', 'statusCode'), isList('message'))),
  sign('NestJS', true, all(has('message', 'statusCode'), header('X-Powered-By', /^Express$/))),
  sign('Fastify', true, field('code', /^FST_ERR_/)),
  sign('Fastify', true, all(has('statusCode'), field('message', /^Route [A-Z]+:\//))),
  sign('Fastify', false, only('statusCode', 'error', 'message')),
  sign('FastAPI', true, all(only('detail'), isList('detail'), text(/"loc" ?: ?\[/))),
  sign(
    'Django REST framework',
    true,
    field('detail', /^(Authentication credentials were not provided\.$|JSON parse error - )/),
  ),
  sign('Django REST framework', true, text(/^\{"\w{1,40}":\["This field (is required|may not be null)\."\]/)),
  sign('FastAPI', true, all(only('detail'), header('Server', /^uvicorn$/))),
  sign(
    'FastAPI',
    false,
    all(only('detail'), field('detail', /^(Not Found|Not authenticated|Method Not Allowed)$/)),
  ),
  sign('Spring', true, all(has('timestamp', 'status', 'error', 'path'))),
  sign('Spring', true, text(/<h1>Whitelabel Error Page<\/h1>/)),
  sign('ASP.NET Core', true, has('type', 'title', 'status', 'traceId')),
  server('ASP.NET Core', 'Server', /^Kestrel$/),
  sign('Laravel', true, field('message', /^Unauthenticated\.$/)),
  server('Laravel', 'Set-Cookie', /^laravel[_-]session=/i),
  sign('Laravel', true, has('message', 'exception', 'file', 'line', 'trace')),
  sign('Laravel', false, only('message', 'errors')),
  server('Express', 'X-Powered-By', /^Express$/),
  sign(
    'Express',
    true,
    text(
      /^<!DOCTYPE html>\s{0,4}<html lang="en">\s{0,4}<head>\s{0,4}<meta charset="utf-8">\s{0,4}<title>Error<\/title>/,
    ),
  ),
  server('Flask', 'Server', /^Werkzeug\//),
  sign('Flask', false, text(/^<!doctype html>\s{0,4}<html lang=en>\s{0,4}<title>[45]\d\d /)),
  sign('Django', true, text(/<code>DEBUG = True<\/code>|<title>Page not found at \//)),
  server('Django', 'Server', /^WSGIServer\//),
  sign(
    'Django',
    false,
    text(/<h1>Not Found<\/h1><p>The requested resource was not found on this server\.<\/p>/),
  ),
  sign(
    'Rails',
    true,
    text(/<title>(Action Controller: Exception caught|The page you were looking for doesn't exist)/),
  ),
  server('Rails', 'X-Runtime', /^\d+\.\d+$/, false),
  sign('Rails', false, only('status', 'error')),
  sign(
    'Hono',
    false,
    all(
      header('Content-Type', /^text\/plain; charset=UTF-8$/),
      text(/^(404 Not Found|Internal Server Error)$/),
    ),
  ),
  // A Response of the Fetch standard that was made from a string (`HTTPException`).
  sign('Hono', false, header('Content-Type', /^text\/plain;charset=UTF-8$/)),
  sign('Go net/http', true, text(/^404 page not found\n?$/)),
  sign(
    'Go net/http',
    false,
    all(
      header('Content-Type', /^text\/plain; charset=utf-8$/),
      header('X-Content-Type-Options', /^nosniff$/),
    ),
  ),
];

/** The framework that one response shows, if any. */
export function frameworkOf(exchange: Exchange): Recognised | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined) return undefined;
  const fields = bodyFields(answer.body) ?? new Map<string, unknown>();
  const parts = { answer, fields, text: (completeText(answer) ?? '').slice(0, LONGEST_TEXT) };
  return SIGNS.find(({ shows }) => shows(parts));
}
