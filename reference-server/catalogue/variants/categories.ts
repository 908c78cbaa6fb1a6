import type { Seams } from '../../seams.ts';
import type { NewCategory } from '../../service/categories.ts';
import { parseNewCategory } from '../../service/categories.ts';
import type { Request } from '../../service/message.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import {
  asError,
  changingCategories,
  fieldsOf,
  isCreated,
  isCreation,
  isList,
  onResponse,
  textOf,
  withItems,
  withJson,
  withLines,
  writingIds,
} from '../wrappers/responses.ts';
import { changingTexts, rejecting } from '../wrappers/storing.ts';
import type { StatedVariant, StatedVariants } from './variant.ts';

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
};

const idOf = (response: SentResponse): string => /"id":(-?\d+)/.exec(textOf(response))?.[1] ?? '';

const withCreatedAt = (json: Record<string, unknown>): Record<string, unknown> => ({
  ...json,
  createdAt: '2026-11-21T00:00:00Z',
});

function describedAs(absent: string | null): Seams {
  return changingCategories((category) => ({ description: absent, ...category }));
}
