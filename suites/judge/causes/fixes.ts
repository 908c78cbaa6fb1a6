import type { RequirementId } from '../../../spec/register.ts';
import type { Framework, Recognised } from './frameworks.ts';
import type { CauseId } from './rules.ts';
import { requirementsOfCause } from './rules.ts';

/** How to fix a cause in any framework and in certain ones: one or two sentences each, with Markdown code spans. */
type Fixes = { readonly inGeneral: string } & Readonly<Partial<Record<Framework, string>>>;

const ERROR = '`{ code, message, status }`';

/** A fix is true of the framework as shipped, and never changes a verdict. */
const FIXES: Readonly<Record<CauseId, Fixes>> = {
  'invalid-body-status': {
    inGeneral: 'Map every validation error to status 400 in one place, the error handler.',
    FastAPI:
      'Add `@app.exception_handler(RequestValidationError)` that returns a `JSONResponse` with status 400; the default is 422.',
    Laravel:
      'Render `ValidationException` with status 400 (`withExceptions` in `bootstrap/app.php`); the default is 422.',
    NestJS: 'Leave `errorHttpStatusCode` of `ValidationPipe` out: the default is 400.',
    Rails: 'Render validation errors with `status: :bad_request` instead of `:unprocessable_entity`.',
  },
  'invalid-body-crash': {
    inGeneral:
      'An exception while the body is read becomes a server error: validate the body before you use it, and answer 400.',
  },
  'invalid-body-accepted': {
    inGeneral:
      'Validate the body against the schema NewCategory, with type conversion switched off, and read the body to its end.',
    Express:
      '`express.json()` only parses: check the types of `name` and `description` in the handler or with a schema validator.',
    Fastify:
      'Fastify converts types before it validates: create it with `ajv: { customOptions: { coerceTypes: false } }`.',
    NestJS:
      'Register `new ValidationPipe()` without `enableImplicitConversion`, and declare `@IsString()` on `name` and `description`.',
    FastAPI: 'Declare `name` and `description` as `StrictStr`, so that numbers are not converted.',
    'Django REST framework':
      '`CharField` converts numbers: reject every value that is no `str` in `to_internal_value` of a subclass.',
    Spring:
      'Jackson converts numbers and booleans to strings: forbid it with `coercionConfigFor(LogicalType.Textual)`, and add `@NotNull` with `@Valid`.',
    Laravel: 'Validate with the rules `required|string` for `name` and `nullable|string` for `description`.',
    'Go net/http':
      '`json.Decoder.Decode` stops after the first value and leaves absent fields empty: use `json.Unmarshal` and check `name` yourself.',
  },
  'html-error': {
    inGeneral: `Install one error handler that writes ${ERROR} as JSON for every error, those of the framework's own parser and router included.`,
    Express: `Register an error handler after all routes: \`app.use((error, req, res, next) => res.status(error.status ?? 500).json(${ERROR.slice(1, -1)}))\`.`,
    Flask: `Register \`@app.errorhandler(HTTPException)\` that returns ${ERROR} as JSON.`,
    Django: `Set \`DEBUG = False\`, and return ${ERROR} as \`JsonResponse\` from \`handler400\`, \`handler404\` and \`handler500\`.`,
    Rails: `Answer errors with ${ERROR} from \`rescue_from\` and from \`config.exceptions_app\`.`,
    Spring: `Add a \`@RestControllerAdvice\` that returns ${ERROR}, and an \`ErrorController\` for what no controller handles.`,
    Laravel: 'Force JSON errors with `shouldRenderJsonWhen` (`withExceptions` in `bootstrap/app.php`).',
    'ASP.NET Core': `Write ${ERROR} in \`UseExceptionHandler\` and \`UseStatusCodePages\`.`,
  },
  'text-error': {
    inGeneral: `Write ${ERROR} as JSON in place of plain text.`,
    'Go net/http': `\`http.Error\` and \`http.NotFound\` write plain text: set \`Content-Type: application/json\` and write ${ERROR} yourself.`,
  },
  'error-fields': {
    inGeneral: `Convert every error to ${ERROR} in one place, the framework's error handler.`,
    Express: `Register an error handler after all routes that writes ${ERROR}.`,
    Fastify: `Write ${ERROR} in \`setErrorHandler\` and \`setNotFoundHandler\`.`,
    NestJS: `Write ${ERROR} in a global exception filter (\`@Catch()\`, \`app.useGlobalFilters\`).`,
    FastAPI: `Add exception handlers for Starlette's \`HTTPException\` and for \`RequestValidationError\` that return ${ERROR}.`,
    'Django REST framework': `Set \`EXCEPTION_HANDLER\` in \`REST_FRAMEWORK\` to a function that returns ${ERROR}.`,
    Spring: `Add a \`@RestControllerAdvice\` and an \`ErrorAttributes\` bean that give ${ERROR}.`,
    'ASP.NET Core': `Set \`InvalidModelStateResponseFactory\` (\`ConfigureApiBehaviorOptions\`) and \`UseStatusCodePages\` to write ${ERROR}.`,
    Rails: `Answer errors with ${ERROR} from \`rescue_from\` and from \`config.exceptions_app\`.`,
    Laravel: `Render exceptions as ${ERROR} (\`withExceptions\` in \`bootstrap/app.php\`).`,
  },
  'rate-limit-headers': {
    inGeneral: 'Set the headers in one place that every response passes, errors and a 304 included.',
    Express:
      'With `express-rate-limit`, set `legacyHeaders: true` and register the limiter before authentication and all routes.',
    Laravel: 'The middleware `throttle` sends `X-RateLimit-Reset` only with a 429: add it to every response.',
  },
  'draft-headers': {
    inGeneral:
      'Send the X-RateLimit headers: in `express-rate-limit` with `legacyHeaders: true`, in `@fastify/rate-limit` with `enableDraftSpec: false`; `hono-rate-limiter` has no such option. X-RateLimit-Reset is a Unix timestamp, not the seconds left.',
    Express:
      'In `express-rate-limit`, set `legacyHeaders: true`: its X-RateLimit-Reset is a Unix timestamp, as the specification says.',
    Fastify:
      'In `@fastify/rate-limit`, set `enableDraftSpec: false`, and turn its `x-ratelimit-reset`, the seconds left, into a Unix timestamp.',
  },
  'open-access': {
    inGeneral:
      'Check the key before the handler of every operation runs, and answer 401 where it is missing or unknown.',
  },
  'unauthorized-status': {
    inGeneral: 'Answer 401 with an Error body wherever the key is missing or unknown.',
    FastAPI:
      '`HTTPBearer` answers 403 in versions before 0.122: create it with `auto_error=False` and raise `HTTPException(401)` yourself.',
    Spring:
      'Spring Security answers 403 without an entry point: set one with `exceptionHandling(e -> e.authenticationEntryPoint(…))` that answers 401.',
    NestJS: 'A guard that returns `false` answers 403: throw `UnauthorizedException` instead.',
    'Django REST framework':
      'Without `authenticate_header` in the first authentication class, the response is 403: define it to return `Bearer`.',
  },
  'slash-redirect': {
    inGeneral: 'Register the path without a slash at its end.',
    FastAPI: 'Declare the route without a slash at its end (`""` below the prefix `/categories`).',
    Django: 'Declare the URL pattern without a slash at its end, and set `APPEND_SLASH = False`.',
    Flask: 'Declare the rule without a slash at its end.',
    'Go net/http': 'Register `/categories`, not `/categories/`: `ServeMux` redirects to the latter.',
  },
  'created-status': {
    inGeneral: 'Answer a creation with 201.',
    Express: 'Write `res.status(201).json(category)`.',
    Fastify: 'Write `reply.code(201).send(category)`.',
    FastAPI: 'Declare the route with `status_code=201`.',
    Flask: 'Return the category with its status: `return category, 201`.',
    Spring: 'Add `@ResponseStatus(HttpStatus.CREATED)` to the method.',
    'ASP.NET Core': 'Return `Results.Created` or `CreatedAtAction`.',
    Rails: 'Render with `status: :created`.',
  },
  'limited-headers': {
    inGeneral:
      'Set Retry-After and the three X-RateLimit headers in the code that sends the 429, often a limiter or a gateway in front of the service.',
  },
  framing: {
    inGeneral:
      'Leave status line, Transfer-Encoding, Content-Length and chunks to the HTTP library, and pass no such header on from a service behind it. A proxy in front of the service may have written the response.',
  },
  'content-coding': {
    inGeneral:
      'Leave `Content-Encoding` out where the body is not compressed, and compress only where `Accept-Encoding` of the request allows it. A charset belongs into `Content-Type`.',
  },
  'limited-body': {
    inGeneral:
      'Have the limiter answer 429 with a JSON body and `Content-Type: application/json`, or without a body.',
    Express: 'In `express-rate-limit`, give `message` as an object: it is sent as JSON.',
  },
  'date-zone': {
    inGeneral:
      'End every HTTP-date with GMT: `http.TimeFormat` in Go (`time.RFC1123` writes UTC), `usegmt=True` in Python (`email.utils`), `DateTimeFormatter.RFC_1123_DATE_TIME` in Java.',
    'Go net/http': 'Format dates with `http.TimeFormat`: `time.RFC1123` writes UTC.',
  },
};

/** How a framework is set right, where the usual cause of a finding is known. */
export interface FrameworkFix {
  readonly framework: string;
  readonly text: string;
}

/** The fixes in frameworks that may help where this requirement is violated. */
export const frameworkFixesOf = (requirement: RequirementId): readonly FrameworkFix[] =>
  Object.entries(FIXES)
    .filter(([cause]) => requirementsOfCause[cause]?.has(requirement) === true)
    .flatMap(([, { inGeneral: _, ...inFrameworks }]) => Object.entries(inFrameworks))
    .map(([framework, text]) => ({ framework, text }));

/** How to fix a cause: in the framework that was recognised, else in general. */
export function fixFor(cause: CauseId, recognised: Recognised | undefined): string {
  const { inGeneral, ...inFrameworks } = FIXES[cause];
  const own = recognised === undefined ? undefined : inFrameworks[recognised.framework];
  if (own === undefined || recognised === undefined) return inGeneral;
  return `${recognised.sure ? 'This is' : 'This looks like'} ${recognised.framework}. ${own}`;
}
