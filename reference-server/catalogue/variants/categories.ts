import type { Seams } from '../../seams.ts';
import { composed } from '../../seams.ts';
import type { NewCategory } from '../../service/categories.ts';
import { parseNewCategory } from '../../service/categories.ts';
import type { Request } from '../../service/message.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import {
  asError,
  changingCategories,
  failing,
  fieldsOf,
  isCreated,
  isCreation,
  isList,
  onResponse,
  rewritingBodies,
  textOf,
  withItems,
  withJson,
  withLines,
  writingIds,
} from '../wrappers/responses.ts';
import { changingTexts, rejecting, withUniqueNames } from '../wrappers/storing.ts';
import type { StatedVariant, StatedVariants } from './variant.ts';
import { needsCreations } from './variant.ts';

/** A service that rejects creations that it does not accept with 400, or another `code`. */
export function bounded(
  topic: 'K62' | 'K63' | 'K76',
  description: string,
  how: Pick<StatedVariant, 'seenIn'> & {
    readonly accepts: (category: NewCategory) => boolean;
    readonly code?: number;
  },
): StatedVariant {
  const { seenIn, accepts, code = 400 } = how;
  return {
    topic,
    description,
    seenIn,
    ...rejecting(code, (category) => !accepts(category)),
  };
}

/** Rejects creations with unknown fields; they are counted like any other. */
export function rejectingUnknownFields(): Seams {
  return {
    wrapService: (handle) => (request) => {
      if (!hasUnknownField(request)) return handle(request);
      const outcome = handle({ ...request, body: Buffer.from('{}') });
      return outcome.kind === 'response' && outcome.status === 400 ? asError(outcome, 400) : outcome;
    },
  };
}

const hasUnknownField = (request: Request): boolean =>
  isCreation(request) &&
  parseNewCategory(request).ok &&
  Object.keys(fieldsOf(request)).some((field) => field !== 'name' && field !== 'description');

/** The smallest whole number that is not exact as a double. */
const BEYOND_DOUBLES = 9_007_199_254_740_993n;

/** Conforming categories, ids and names. */
export const categories: StatedVariants = {
  'extra-fields': {
    topic: 'K42',
    description: 'Categories and Errors have additional fields.',
    seenIn: 'createdAt and requestId, in most services',
    ...onResponse(
      (response) => response.status < 500 && response.body.length > 0,
      (response, request) =>
        isList(response, request)
          ? withItems(response, (items) => items.map(withCreatedAt))
          : withJson(response, (json) => ({ ...withCreatedAt(json), details: [], requestId: 'r-1' })),
    ),
  },
  'description-empty': {
    topic: 'K44',
    description: 'A category without a description is returned with an empty one.',
    seenIn: 'Go structs without omitempty, protobuf JSON with default values',
    ...describedAs(''),
  },
  'description-of-the-service': {
    topic: 'K44',
    description: 'A category without a description is returned with a text of the service.',
    seenIn: 'columns with a default value',
    ...describedAs('No description yet.'),
  },
  'ids-beyond-doubles': {
    topic: 'K46',
    description: 'Ids are larger than 2^53 and not exact as doubles.',
    seenIn: 'snowflake ids (Twitter, Discord)',
    ...writingIds((id) => String(BEYOND_DOUBLES + 2n * id)),
  },
  'ids-anywhere': {
    topic: 'K47',
    description: 'Ids are negative, zero and positive, far apart and in no order.',
    seenIn: 'CockroachDB’s unordered ids; random int64 keys',
    ...writingIds((id) => String((id - 1n) * 7_000_000_000_000_003n * (id % 2n === 0n ? -1n : 1n))),
  },
  'ids-with-an-exponent': {
    topic: 'K48',
    description: 'Ids are whole numbers, written as 1e3, 2e3 and so on.',
    warnings: ['CAT-1'],
    seenIn: 'printf("%g") in the driver of the database',
    ...writingIds((id) => `${id}e3`),
  },
  'texts-trimmed': {
    topic: 'K62',
    description: 'Whitespace around a name and a description is removed before they are stored.',
    seenIn: 'Laravel’s TrimStrings, Django REST framework’s trim_whitespace',
    ...changingTexts((text) => text.trim()),
  },
  'texts-normalized-to-nfc': {
    topic: 'K76',
    description: 'Names and descriptions are stored in the normalization form NFC.',
    warnings: ['CREATE-3'],
    seenIn: 'RFC 5198 §3; PRECIS (RFC 8264); Ecto and Phoenix with String.normalize',
    ...changingTexts((text) => text.normalize('NFC')),
  },
  'names-not-empty': {
    topic: 'K64',
    description: 'An empty or blank name gets 400.',
    seenIn: 'required in Rails, Laravel and Django, where it means "not blank"',
    ...rejecting(400, ({ name }) => name.trim() === ''),
  },
  'created-with-location': {
    topic: 'K66',
    description: 'A 201 response has a Location header with the address of the category.',
    seenIn: 'RFC 9110 §15.3.2; JAX-RS, Spring, ASP.NET Core',
    ...onResponse(isCreated, (response) =>
      withLines(response, ['Location', `/v1/categories/${idOf(response)}`]),
    ),
  },

  // Limits on names, descriptions and categories, which the specification does not show.
  'names-unique': {
    topic: 'K61',
    description: 'A creation with an existing name gets 409.',
    seenIn: 'any table with a unique index on the name',
    ...rejecting(409, ({ name }, names) => names.has(name)),
  },
  'texts-without-markup-409': {
    topic: 'K76',
    description: 'A name or a description with < or > gets 409, alone and beside another creation.',
    seenIn: 'handlers that make 409 of every violation of a constraint',
    ...rejecting(409, ({ name, description = '' }) => /[<>]/.test(`${name}${description}`)),
  },
  'existing-name-returns-the-category': {
    topic: 'K61',
    description: 'A creation with an existing name gets 201 with the category that has the name, unchanged.',
    seenIn: 'get_or_create, find_or_create_by, ON CONFLICT DO NOTHING with a SELECT',
    ...withUniqueNames((before) => before),
  },
  'names-of-sixteen': bounded('K63', 'A name longer than 16 characters gets 400.', {
    seenIn: 'a VARCHAR(16) that the service checks',
    accepts: ({ name }) => name.length <= 16,
  }),
  'descriptions-of-sixty': bounded('K63', 'A description longer than 60 characters gets 400.', {
    seenIn: '@Size(max = 60) in Bean Validation',
    accepts: ({ description = '' }) => description.length <= 60,
  }),
  'descriptions-of-ten-beside-letters': bounded(
    'K63',
    'A description shorter than 10 characters gets 400, and so does a name that is not 3 to 24 letters.',
    {
      seenIn: '@MinLength(10) and @IsAlpha() of class-validator',
      accepts: ({ name, description }) =>
        /^[A-Za-z]{3,24}$/.test(name) && (description === undefined || description.length >= 10),
    },
  ),
  'descriptions-not-empty': bounded('K63', 'An empty description gets 400.', {
    seenIn: 'minLength: 1 in a JSON schema, Joi’s string()',
    accepts: ({ description }) => description !== '',
  }),
  'descriptions-of-one-word': bounded('K76', 'A description of more than one word gets 400.', {
    seenIn: 'fields meant for a tag',
    accepts: ({ description = '' }) => /^\w*$/.test(description),
  }),
  'descriptions-as-sentences': bounded(
    'K76',
    'A description without a capital at its beginning and a full stop at its end gets 400.',
    {
      seenIn: 'style rules for texts that are shown to people',
      accepts: ({ description = 'None.' }) => /^\p{Lu}.*\.$/su.test(description),
    },
  ),
  'descriptions-in-ascii': bounded('K76', 'A description that is not ASCII gets 400.', {
    seenIn: 'single-byte columns whose characters are checked',
    accepts: ({ description = '' }) => /^[ -~]*$/.test(description),
  }),
  'names-of-two-words': bounded('K76', 'A name of anything but two words gets 400.', {
    seenIn: 'a kind and a breed as one name',
    accepts: ({ name }) => /^\p{L}+ \p{L}+$/u.test(name),
  }),
  'names-in-kebab-case': bounded(
    'K76',
    'A name with anything but lower-case letters, digits and hyphens gets 400.',
    {
      seenIn: 'slugs as names',
      accepts: ({ name }) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name),
    },
  ),
  'texts-without-markup': bounded('K76', 'A name or a description with < or > gets 400.', {
    seenIn: 'ASP.NET request validation, Joi’s string().pattern against markup',
    accepts: ({ name, description = '' }) => !/[<>]/.test(name + description),
  }),
  'names-without-blanks-around': bounded('K62', 'A name with white space around it gets 400.', {
    seenIn: 'Joi’s trim() in strict mode',
    accepts: ({ name }) => name === name.trim(),
  }),
  'names-of-letters': bounded('K76', 'A name that is not 1 to 16 letters gets 400.', {
    seenIn: 'Laravel’s alpha|max:16',
    accepts: ({ name }) => /^[A-Za-z]{1,16}$/.test(name),
  }),
  'names-with-a-capital': bounded(
    'K76',
    'A name that is not a capital followed by lower-case letters gets 400.',
    {
      seenIn: 'names that are displayed unchanged',
      accepts: ({ name }) => /^[A-Z][a-z]+$/.test(name),
    },
  ),
  'names-of-sixteen-422': {
    ...bounded('K63', 'A name longer than 16 characters gets 422.', {
      seenIn: 'FastAPI with max_length=16',
      accepts: ({ name }) => name.length <= 16,
      code: 422,
    }),
    warnings: ['CREATE-1'],
  },
  'descriptions-of-sixty-413': bounded('K63', 'A description longer than 60 characters gets 413.', {
    seenIn: 'client_max_body_size of nginx and limits of a body parser, set to little',
    accepts: ({ description = '' }) => description.length <= 60,
    code: 413,
  }),
  'names-of-twenty-422': bounded('K63', 'A name longer than 20 characters gets 422.', {
    seenIn: 'FastAPI with max_length=20',
    accepts: ({ name }) => name.length <= 20,
    code: 422,
  }),
  'names-by-a-rule': {
    ...bounded('K76', 'A name that does not match `--name-pattern CAT-{number}` gets 400.', {
      seenIn: 'catalogs that number their groups',
      accepts: ({ name }) => /^CAT-[0-9]{8}$/.test(name),
    }),
    namePattern: 'CAT-{number}',
  },
  'unknown-fields-rejected': {
    topic: 'K77',
    description: 'A creation with a field that NewCategory does not have gets 400.',
    seenIn: 'forbidNonWhitelisted of NestJS, FAIL_ON_UNKNOWN_PROPERTIES of Jackson',
    ...rejectingUnknownFields(),
  },
  'one-category-at-most': {
    topic: 'K78',
    description: 'One category can be created; every further creation gets 400.',
    inconclusive: ['MEDIA-3', 'CREATE-2', 'CREATE-11'],
    because: 'No further category can be created, and the specification does not show a maximum.',
    seenIn: 'free accounts with a limited number of objects',
    ...rejecting(400, (_, names) => names.size > 0),
  },
  'two-categories-at-most': {
    topic: 'K78',
    description: 'Two categories can be created; every further creation gets 409.',
    inconclusive: ['MEDIA-3', 'CREATE-2'],
    because: 'No further category can be created, and the specification does not show a maximum.',
    seenIn: 'free accounts with a limited number of objects',
    ...rejecting(409, (_, names) => names.size > 1),
  },
  'twelve-categories-at-most': {
    topic: 'K78',
    description: 'Twelve categories can be created; every further creation gets 403.',
    seenIn: 'free accounts with a limited number of objects',
    ...rejecting(403, (_, names) => names.size > 11),
  },
  'key-may-only-read': {
    topic: 'K89',
    description: 'Every creation with a valid key gets 403, because the key may only read.',
    inconclusive: [...needsCreations, 'CAT-1', 'CAT-2', 'CAT-3'],
    because: 'No creation is accepted with the key, and the specification does not show the scopes of keys.',
    seenIn: 'keys with scopes (RFC 6750 §3.1, insufficient_scope)',
    // The scopes of a key are read before the body.
    ...composed(
      rewritingBodies(() => '{}'),
      failing(({ status }, request) => status === 400 && isCreation(request), 403),
    ),
  },
};

const idOf = (response: SentResponse): string => /"id":(-?\d+)/.exec(textOf(response))?.[1] ?? '';

const withCreatedAt = (json: Record<string, unknown>): Record<string, unknown> => ({
  ...json,
  createdAt: '2026-11-21T00:00:00Z',
});

function describedAs(absent: string | null): Seams {
  return changingCategories((category) => ({ description: absent, ...category }));
}
