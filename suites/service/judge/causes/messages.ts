import { quoted } from '../../../../kernel/basics/text.ts';
import { codingProblem } from '../../../../kernel/exchanges/body.ts';
import { answerOf, headersOf, headerValue } from '../../../../kernel/exchanges/headers.ts';
import { lacksGmt } from '../../../../kernel/exchanges/rate-headers.ts';
import type { RequirementId } from '../../../../spec/register.ts';
import { bodyFields } from '../../evidence/json.ts';
import { isPage, isSlashRedirect } from '../../model/target-reading.ts';
import { frameworkOf } from './frameworks.ts';
import type { KnownCause, Rule } from './rule.ts';
import { ERROR, symptom, untested } from './rule.ts';

const MEDIA: readonly RequirementId[] = ['MEDIA-1', 'MEDIA-2'];
const MESSAGES: readonly RequirementId[] = ['MEDIA-1', 'HTTP-4'];
const DATES: readonly RequirementId[] = ['RETRY-2', 'HTTP-2'];

export const slashRedirect: Rule<keyof typeof messages> = ({ exchanges }) =>
  exchanges.every(isSlashRedirect)
    ? symptom('slash-redirect', 'Requests for /categories are redirected to /categories/.')
    : undefined;

export const dateZone: Rule<keyof typeof messages> = ({ id, exchanges: [first] }) => {
  const date = headerValue(headersOf(first), id === 'HTTP-2' ? 'Date' : 'Retry-After');
  return DATES.includes(id) && date !== undefined && lacksGmt(date)
    ? symptom('date-zone', 'Dates do not end with GMT.')
    : undefined;
};

const ERROR_BODIES: readonly RequirementId[] = ['MEDIA-1', 'ERR-1', 'ERR-2'];

const MOST_FIELDS = 6;

/** Error bodies by their kind. An error handler never sees what code of one's own wrote, so its shape says which of them did. */
export const errorBody: Rule<keyof typeof messages> = ({ id, exchanges: [first] }) => {
  const answer = answerOf(first);
  if (!ERROR_BODIES.includes(id) || answer === undefined || answer.status < 400) return undefined;
  if (isPage(first)) return symptom('html-error', 'Error responses are HTML pages instead of JSON.');
  const fields = bodyFields(answer.body);
  if (fields === undefined) {
    return /^text\/(plain|html)\b/i.test(headerValue(answer.headers, 'Content-Type') ?? '')
      ? symptom('text-error', 'Error responses are plain text instead of JSON.')
      : undefined;
  }
  if (fields.has('code') && fields.has('message') && fields.has('status')) return undefined;
  const shown = [...fields.keys()].sort().slice(0, MOST_FIELDS).map(quoted).join(', ');
  return symptom(
    frameworkOf(first)?.wroteBody === true ? 'error-fields' : 'own-error-fields',
    `Error responses have ${shown === '' ? 'no fields' : `the fields ${shown}`} instead of "code", "message" and "status".`,
  );
};

/** A complete error as code of a service writes it. */
const UNAUTHORIZED = "{ code: 'unauthorized', message: 'The API key is missing or invalid.', status: 401 }";

/** What may be wrong with how messages are written: the bodies of errors, paths, framing, codings and dates. */
export const messages = {
  'html-error': {
    violates: ERROR_BODIES,
    where: 'where errors are HTML pages',
    inGeneral: `Install one error handler that writes ${ERROR} as JSON for every error, those of the framework's own parser and router included.`,
    Express:
      "Register an error handler after all routes: `app.use((error, req, res, next) => { const status = error.status ?? 500; res.status(status).json({ code: error.type ?? 'error', message: error.message, status }); })`.",
    Flask: `Register \`@app.errorhandler(HTTPException)\` that returns ${ERROR} as JSON.`,
    Django: untested(
      `Set \`DEBUG = False\`, and return ${ERROR} as \`JsonResponse\` from \`handler400\`, \`handler404\` and \`handler500\`.`,
    ),
    Rails: untested(`Answer errors with ${ERROR} from \`rescue_from\` and from \`config.exceptions_app\`.`),
    Spring: untested(
      `Add a \`@RestControllerAdvice\` that returns ${ERROR}, and an \`ErrorController\` for what no controller handles.`,
    ),
    Laravel: untested(
      'Force JSON errors with `shouldRenderJsonWhen` (`withExceptions` in `bootstrap/app.php`).',
    ),
    'ASP.NET Core': untested(`Write ${ERROR} in \`UseExceptionHandler\` and \`UseStatusCodePages\`.`),
  },
  'text-error': {
    violates: ERROR_BODIES,
    where: 'where errors are plain text',
    inGeneral: `Write ${ERROR} as JSON in place of plain text, in your own code and in the error handler of the framework.`,
    Express: `\`res.sendStatus\` and \`res.send\` write text: write \`res.status(401).json(${UNAUTHORIZED})\` instead, and the like with 400.`,
    Hono: "`HTTPException` writes plain text: register `app.onError((error, c) => { const status = error.status ?? 500; return c.json({ code: 'http_' + status, message: error.message || 'The request failed.', status }, status); })`.",
    'Go net/http': `\`http.Error\` and \`http.NotFound\` write plain text: set \`Content-Type: application/json\` and write ${ERROR} yourself.`,
  },
  'error-fields': {
    violates: ERROR_BODIES,
    where: 'where errors have the fields of the framework',
    inGeneral: untested(`Convert every error to ${ERROR} in one place, the framework's error handler.`),
    Fastify:
      "Write them in `app.setErrorHandler((error, request, reply) => { const status = error.statusCode ?? 500; reply.code(status).send({ code: error.code ?? 'error', message: error.message, status }); })`.",
    NestJS: untested(`Write ${ERROR} in a global exception filter (\`@Catch()\`, \`app.useGlobalFilters\`).`),
    FastAPI: untested(
      `Add exception handlers for Starlette's \`HTTPException\` and for \`RequestValidationError\` that return ${ERROR}.`,
    ),
    'Django REST framework': untested(
      `Set \`EXCEPTION_HANDLER\` in \`REST_FRAMEWORK\` to a function that returns ${ERROR}.`,
    ),
    Spring: untested(`Add a \`@RestControllerAdvice\` and an \`ErrorAttributes\` bean that give ${ERROR}.`),
    'ASP.NET Core': untested(
      `Set \`InvalidModelStateResponseFactory\` (\`ConfigureApiBehaviorOptions\`) and \`UseStatusCodePages\` to write ${ERROR}.`,
    ),
    Rails: untested(`Answer errors with ${ERROR} from \`rescue_from\` and from \`config.exceptions_app\`.`),
    Laravel: untested(`Render exceptions as ${ERROR} (\`withExceptions\` in \`bootstrap/app.php\`).`),
  },
  'own-error-fields': {
    violates: ERROR_BODIES,
    where: 'where errors have fields of your own',
    inGeneral: `Write ${ERROR} wherever your own code answers with an error: an error handler of the framework does not see these responses.`,
    Express: `Your own code wrote this body, and an error handler does not see it: in each \`res.status(…).json(…)\` write all three fields, as in \`res.status(401).json(${UNAUTHORIZED})\`.`,
    Fastify: `Your own code wrote this body, and \`setErrorHandler\` does not see it: in each \`reply.code(…).send(…)\` write all three fields, as in \`reply.code(401).send(${UNAUTHORIZED})\`.`,
  },
  'slash-redirect': {
    violates: ['LIST-1', 'CREATE-1'],
    where: 'where the path is redirected',
    inGeneral: 'Register the path without a slash at its end.',
    FastAPI: untested('Declare the route without a slash at its end (`""` below the prefix `/categories`).'),
    Django: untested('Declare the URL pattern without a slash at its end, and set `APPEND_SLASH = False`.'),
    Flask: 'Declare the rule without a slash at its end.',
    'Go net/http': 'Register `/categories`, not `/categories/`: `ServeMux` redirects to the latter.',
  },
  framing: {
    violates: MESSAGES,
    where: 'where the message is not written as HTTP/1.1 requires',
    shows: {
      title: 'Responses are not written as HTTP/1.1 requires.',
      // Clients cannot tell where such a response ends, or what its lines are.
      when([first]) {
        const { unreadable, irregular } = answerOf(first) ?? {};
        return unreadable !== undefined || irregular !== undefined;
      },
    },
    inGeneral: untested(
      'Leave status line, Transfer-Encoding, Content-Length and chunks to the HTTP library, and pass no such header on from a service behind it. A proxy in front of the service may have written the response.',
    ),
  },
  'content-coding': {
    violates: MEDIA,
    where: 'where Content-Encoding is wrong',
    shows: {
      title: 'Content-Encoding states a coding that the body should not have.',
      when([first]) {
        const answer = answerOf(first);
        return answer !== undefined && codingProblem(answer) !== undefined;
      },
    },
    inGeneral: untested(
      'Leave `Content-Encoding` out where the body is not compressed, and compress only where `Accept-Encoding` of the request allows it. A charset belongs into `Content-Type`.',
    ),
  },
  'date-zone': {
    violates: DATES,
    where: 'where dates do not end with GMT',
    inGeneral: untested(
      'End every HTTP-date with GMT: `http.TimeFormat` in Go (`time.RFC1123` writes UTC), `usegmt=True` in Python (`email.utils`), `DateTimeFormatter.RFC_1123_DATE_TIME` in Java.',
    ),
    'Go net/http': 'Format dates with `http.TimeFormat`: `time.RFC1123` writes UTC.',
  },
} as const satisfies Readonly<Record<string, KnownCause>>;
