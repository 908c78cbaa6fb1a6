import type { Fixes } from './fix.ts';
import { proven, untested } from './fix.ts';

/** Fixes of creations and of the categories that they store. */
export const creations = {
  'invalid-body-status': {
    where: 'where invalid bodies get another status',
    inGeneral: proven(
      'Answer 400 for every invalid body: in one place, which is the error handler where the framework validates.',
    ),
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
    where: 'where invalid bodies get a server error',
    inGeneral: proven(
      'Reading the body throws, or using a value of another type: answer 400 unless the body is a JSON object with a `name` that is a string, before you use it.',
    ),
    Express: proven(
      "A field of `req.body` may have any type or be absent: answer 400 unless `typeof name === 'string'`, before you call a method of it.",
    ),
    Hono: proven(
      '`c.req.json()` throws where the body is absent or malformed: write `await c.req.json().catch(() => undefined)`, and answer 400 unless that is an object.',
    ),
  },
  'absent-body-crash': {
    where: 'where an absent body gets a server error',
    inGeneral: proven(
      'Without a body, or with `null`, there is no object: check for that before you read a field of it, and answer 400.',
    ),
    Express: proven(
      'In Express 5 `req.body` is `undefined` where a request has no body: read it as `req.body ?? {}`, and answer 400 where `name` is missing.',
    ),
    Fastify: proven(
      '`request.body` is `undefined` or `null` where a request has no body: read it as `request.body ?? {}`, and answer 400 where `name` is missing.',
    ),
  },
  'invalid-body-accepted': {
    where: 'where invalid bodies are accepted',
    inGeneral: proven(
      'Answer 400 unless the body is a JSON object whose `name` is a string and whose `description` is absent or a string. Switch type conversion off, and read the body to its end.',
    ),
    Express: proven(
      "`express.json()` only parses: answer 400 unless `typeof name === 'string'`, and unless `description` is `undefined` or a string.",
    ),
    Fastify: proven(
      'Give the route a schema of its body, and create Fastify with `ajv: { customOptions: { coerceTypes: false } }`: otherwise it converts types before it validates.',
    ),
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
    'Go net/http': proven(
      '`json.Decoder.Decode` stops after the first value and leaves absent fields empty: use `json.Unmarshal` and check `name` yourself.',
    ),
  },
  'created-status': {
    where: 'where creations get another status than 201',
    inGeneral: proven('Answer a creation with 201.'),
    Express: proven('Write `res.status(201).json(category)`.'),
    Fastify: proven('Write `reply.code(201).send(category)`.'),
    FastAPI: untested('Declare the route with `status_code=201`.'),
    Flask: proven('Return the category with its status: `return category, 201`.'),
    Spring: untested('Add `@ResponseStatus(HttpStatus.CREATED)` to the method.'),
    'ASP.NET Core': untested('Return `Results.Created` or `CreatedAtAction`.'),
    Rails: untested('Render with `status: :created`.'),
  },
  'adopted-id': {
    where: 'where the id comes from the body',
    inGeneral: proven(
      'Take only `name` and `description` from the body: a copy of the whole body overwrites the id of the service.',
    ),
    Express: proven(
      'Take `const { name, description } = req.body ?? {}`, and store `{ id, name, description }`: with `...req.body` an `id` in the body overwrites that of the service.',
    ),
    Fastify: proven(
      'Take `const { name, description } = request.body ?? {}`, and store `{ id, name, description }`: with `...request.body` an `id` in the body overwrites that of the service.',
    ),
  },
  'category-fields': {
    where: 'where a field has another type',
    inGeneral: proven(
      'Write `id` as a JSON integer, `name` as a string, and `description` as a string or not at all. Correct what is already stored, too.',
    ),
  },
  'list-envelope': {
    where: 'where the list is no array',
    inGeneral: proven('Write the array itself as the body of the list, without an object around it.'),
    Express: proven('Write `res.json(categories)` instead of `res.json({ categories })`.'),
  },
} as const satisfies Readonly<Record<string, Fixes>>;
