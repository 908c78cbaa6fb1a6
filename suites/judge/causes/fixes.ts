import type { RequirementId } from '../../../spec/register.ts';
import type { Framework, Recognised } from './frameworks.ts';
import type { CauseId } from './rules.ts';
import { requirementsOfCause } from './rules.ts';

/** How to fix a cause: in one framework or, without one, in any. */
interface Fix {
  readonly cause: CauseId;
  readonly framework?: Framework;
  /** One or two sentences, with Markdown code spans. */
  readonly text: string;
}

const inGeneral = (cause: CauseId, text: string): Fix => ({ cause, text });
const inFramework = (cause: CauseId, framework: Framework, text: string): Fix => ({ cause, framework, text });

const ERROR = '`{ code, message, status }`';

/** One row for each cause and framework. A row is true of the framework as shipped, and never changes a verdict. */
const FIXES: readonly Fix[] = [
  inGeneral(
    'invalid-body-status',
    'Map every validation error to status 400 in one place, the error handler.',
  ),
  inFramework(
    'invalid-body-status',
    'FastAPI',
    'Add `@app.exception_handler(RequestValidationError)` that returns a `JSONResponse` with status 400; the default is 422.',
  ),
  inFramework(
    'invalid-body-status',
    'Laravel',
    'Render `ValidationException` with status 400 (`withExceptions` in `bootstrap/app.php`); the default is 422.',
  ),
  inFramework(
    'invalid-body-status',
    'NestJS',
    'Leave `errorHttpStatusCode` of `ValidationPipe` out: the default is 400.',
  ),
  inFramework(
    'invalid-body-status',
    'Rails',
    'Render validation errors with `status: :bad_request` instead of `:unprocessable_entity`.',
  ),
  inGeneral(
    'invalid-body-crash',
    'An exception while the body is read becomes a server error: validate the body before you use it, and answer 400.',
  ),
  inGeneral(
    'invalid-body-accepted',
    'Validate the body against the schema NewCategory, with type conversion switched off, and read the body to its end.',
  ),
  inFramework(
    'invalid-body-accepted',
    'Express',
    '`express.json()` only parses: check the types of `name` and `description` in the handler or with a schema validator.',
  ),
  inFramework(
    'invalid-body-accepted',
    'Fastify',
    'Fastify converts types before it validates: create it with `ajv: { customOptions: { coerceTypes: false } }`.',
  ),
  inFramework(
    'invalid-body-accepted',
    'NestJS',
    'Register `new ValidationPipe()` without `enableImplicitConversion`, and declare `@IsString()` on `name` and `description`.',
  ),
  inFramework(
    'invalid-body-accepted',
    'FastAPI',
    'Declare `name` and `description` as `StrictStr`, so that numbers are not converted.',
  ),
  inFramework(
    'invalid-body-accepted',
    'Django REST framework',
    '`CharField` converts numbers: reject every value that is no `str` in `to_internal_value` of a subclass.',
  ),
  inFramework(
    'invalid-body-accepted',
    'Spring',
    'Jackson converts numbers and booleans to strings: forbid it with `coercionConfigFor(LogicalType.Textual)`, and add `@NotNull` with `@Valid`.',
  ),
  inFramework(
    'invalid-body-accepted',
    'Laravel',
    'Validate with the rules `required|string` for `name` and `nullable|string` for `description`.',
  ),
  inFramework(
    'invalid-body-accepted',
    'Go net/http',
    '`json.Decoder.Decode` stops after the first value and leaves absent fields empty: use `json.Unmarshal` and check `name` yourself.',
  ),
  inGeneral(
    'html-error',
    `Install one error handler that writes ${ERROR} as JSON for every error, those of the framework's own parser and router included.`,
  ),
  inFramework(
    'html-error',
    'Express',
    `Register an error handler after all routes: \`app.use((error, req, res, next) => res.status(error.status ?? 500).json(${ERROR.slice(1, -1)}))\`.`,
  ),
  inFramework(
    'html-error',
    'Flask',
    `Register \`@app.errorhandler(HTTPException)\` that returns ${ERROR} as JSON.`,
  ),
  inFramework(
    'html-error',
    'Django',
    `Set \`DEBUG = False\`, and return ${ERROR} as \`JsonResponse\` from \`handler400\`, \`handler404\` and \`handler500\`.`,
  ),
  inFramework(
    'html-error',
    'Rails',
    `Answer errors with ${ERROR} from \`rescue_from\` and from \`config.exceptions_app\`.`,
  ),
  inFramework(
    'html-error',
    'Spring',
    `Add a \`@RestControllerAdvice\` that returns ${ERROR}, and an \`ErrorController\` for what no controller handles.`,
  ),
  inFramework(
    'html-error',
    'Laravel',
    'Force JSON errors with `shouldRenderJsonWhen` (`withExceptions` in `bootstrap/app.php`).',
  ),
  inFramework(
    'html-error',
    'ASP.NET Core',
    `Write ${ERROR} in \`UseExceptionHandler\` and \`UseStatusCodePages\`.`,
  ),
  inGeneral('text-error', `Write ${ERROR} as JSON in place of plain text.`),
  inFramework(
    'text-error',
    'Go net/http',
    `\`http.Error\` and \`http.NotFound\` write plain text: set \`Content-Type: application/json\` and write ${ERROR} yourself.`,
  ),
  inGeneral('error-fields', `Convert every error to ${ERROR} in one place, the framework's error handler.`),
  inFramework('error-fields', 'Express', `Register an error handler after all routes that writes ${ERROR}.`),
  inFramework('error-fields', 'Fastify', `Write ${ERROR} in \`setErrorHandler\` and \`setNotFoundHandler\`.`),
  inFramework(
    'error-fields',
    'NestJS',
    `Write ${ERROR} in a global exception filter (\`@Catch()\`, \`app.useGlobalFilters\`).`,
  ),
  inFramework(
    'error-fields',
    'FastAPI',
    `Add exception handlers for Starlette's \`HTTPException\` and for \`RequestValidationError\` that return ${ERROR}.`,
  ),
  inFramework(
    'error-fields',
    'Django REST framework',
    `Set \`EXCEPTION_HANDLER\` in \`REST_FRAMEWORK\` to a function that returns ${ERROR}.`,
  ),
  inFramework(
    'error-fields',
    'Spring',
    `Add a \`@RestControllerAdvice\` and an \`ErrorAttributes\` bean that give ${ERROR}.`,
  ),
  inFramework(
    'error-fields',
    'ASP.NET Core',
    `Set \`InvalidModelStateResponseFactory\` (\`ConfigureApiBehaviorOptions\`) and \`UseStatusCodePages\` to write ${ERROR}.`,
  ),
  inFramework(
    'error-fields',
    'Rails',
    `Answer errors with ${ERROR} from \`rescue_from\` and from \`config.exceptions_app\`.`,
  ),
  inFramework(
    'error-fields',
    'Laravel',
    `Render exceptions as ${ERROR} (\`withExceptions\` in \`bootstrap/app.php\`).`,
  ),
  inGeneral(
    'rate-limit-headers',
    'Set the headers in one place that every response passes, errors and a 304 included.',
  ),
  inFramework(
    'rate-limit-headers',
    'Express',
    'With `express-rate-limit`, set `legacyHeaders: true` and register the limiter before authentication and all routes.',
  ),
  inFramework(
    'rate-limit-headers',
    'Laravel',
    'The middleware `throttle` sends `X-RateLimit-Reset` only with a 429: add it to every response.',
  ),
  inGeneral(
    'draft-headers',
    'Send the X-RateLimit headers: in `express-rate-limit` with `legacyHeaders: true`, in `@fastify/rate-limit` with `enableDraftSpec: false`; `hono-rate-limiter` has no such option. X-RateLimit-Reset is a Unix timestamp, not the seconds left.',
  ),
  inFramework(
    'draft-headers',
    'Express',
    'In `express-rate-limit`, set `legacyHeaders: true`: its X-RateLimit-Reset is a Unix timestamp, as the specification says.',
  ),
  inFramework(
    'draft-headers',
    'Fastify',
    'In `@fastify/rate-limit`, set `enableDraftSpec: false`, and turn its `x-ratelimit-reset`, the seconds left, into a Unix timestamp.',
  ),
  inGeneral(
    'open-access',
    'Check the key before the handler of every operation runs, and answer 401 where it is missing or unknown.',
  ),
  inGeneral('unauthorized-status', 'Answer 401 with an Error body wherever the key is missing or unknown.'),
  inFramework(
    'unauthorized-status',
    'FastAPI',
    '`HTTPBearer` answers 403 in versions before 0.122: create it with `auto_error=False` and raise `HTTPException(401)` yourself.',
  ),
  inFramework(
    'unauthorized-status',
    'Spring',
    'Spring Security answers 403 without an entry point: set one with `exceptionHandling(e -> e.authenticationEntryPoint(…))` that answers 401.',
  ),
  inFramework(
    'unauthorized-status',
    'NestJS',
    'A guard that returns `false` answers 403: throw `UnauthorizedException` instead.',
  ),
  inFramework(
    'unauthorized-status',
    'Django REST framework',
    'Without `authenticate_header` in the first authentication class, the response is 403: define it to return `Bearer`.',
  ),
  inGeneral('slash-redirect', 'Register the path without a slash at its end.'),
  inFramework(
    'slash-redirect',
    'FastAPI',
    'Declare the route without a slash at its end (`""` below the prefix `/categories`).',
  ),
  inFramework(
    'slash-redirect',
    'Django',
    'Declare the URL pattern without a slash at its end, and set `APPEND_SLASH = False`.',
  ),
  inFramework('slash-redirect', 'Flask', 'Declare the rule without a slash at its end.'),
  inFramework(
    'slash-redirect',
    'Go net/http',
    'Register `/categories`, not `/categories/`: `ServeMux` redirects to the latter.',
  ),
  inGeneral('created-status', 'Answer a creation with 201.'),
  inFramework('created-status', 'Express', 'Write `res.status(201).json(category)`.'),
  inFramework('created-status', 'Fastify', 'Write `reply.code(201).send(category)`.'),
  inFramework('created-status', 'FastAPI', 'Declare the route with `status_code=201`.'),
  inFramework('created-status', 'Flask', 'Return the category with its status: `return category, 201`.'),
  inFramework('created-status', 'Spring', 'Add `@ResponseStatus(HttpStatus.CREATED)` to the method.'),
  inFramework('created-status', 'ASP.NET Core', 'Return `Results.Created` or `CreatedAtAction`.'),
  inFramework('created-status', 'Rails', 'Render with `status: :created`.'),
  inGeneral(
    'limited-headers',
    'Set Retry-After and the three X-RateLimit headers where the 429 is answered, often a limiter or a gateway in front of the service.',
  ),
  inGeneral(
    'limited-body',
    'Have the limiter answer 429 with a JSON body and `Content-Type: application/json`, or without a body.',
  ),
  inFramework(
    'limited-body',
    'Express',
    'In `express-rate-limit`, give `message` as an object: it is sent as JSON.',
  ),
];

/** How a framework is set right, where the usual cause of a finding is known. */
export interface FrameworkFix {
  readonly framework: Framework;
  readonly text: string;
}

/** The fixes in frameworks that may help where this requirement is violated. */
export const frameworkFixesOf = (requirement: RequirementId): readonly FrameworkFix[] =>
  FIXES.flatMap(({ cause, framework, text }) =>
    framework !== undefined && requirementsOfCause[cause]?.has(requirement) === true
      ? [{ framework, text }]
      : [],
  );

/** How to fix a cause: in the framework that was recognised, else in general. */
export function fixFor(cause: CauseId, recognised: Recognised | undefined): string | undefined {
  const rows = FIXES.filter((one) => one.cause === cause);
  const own = rows.find(({ framework }) => framework !== undefined && framework === recognised?.framework);
  if (own === undefined || recognised === undefined) {
    return rows.find(({ framework }) => framework === undefined)?.text;
  }
  return `${recognised.sure ? 'This is' : 'This looks like'} ${recognised.framework}. ${own.text}`;
}
