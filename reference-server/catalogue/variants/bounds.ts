import { failing, isCreation } from '../wrappers/responses.ts';
import { rejecting, withUniqueNames } from '../wrappers/storing.ts';
import { bounded, rejectingUnknownFields } from './categories.ts';
import type { StatedVariants } from './variant.ts';
import { needsCreations } from './variant.ts';

/** Limits on names, descriptions and categories, which the specification does not show. */
export const bounds: StatedVariants = {
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
    inconclusive: needsCreations,
    because: 'No creation is accepted with the key, and the specification does not show the scopes of keys.',
    seenIn: 'keys with scopes (RFC 6750 §3.1, insufficient_scope)',
    ...failing(({ status }, request) => isCreation(request) && [201, 400].includes(status), 403),
  },
};
