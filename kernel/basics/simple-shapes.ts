import type { Literal, LiteralShape, Shape } from './shape.ts';
import { leaf } from './shape.ts';

/** Any text. */
export const text = leaf<string>((value) => typeof value === 'string', 'a text', { type: 'string' });

/** A text that is not empty. */
export const someText = leaf<string>(
  (value) => typeof value === 'string' && value !== '',
  'a text that is not empty',
  {
    type: 'string',
    minLength: 1,
  },
);

/** A text of one to so many characters. */
export const textUpTo = (maxLength: number): Shape<string> =>
  leaf(
    (value) =>
      typeof value === 'string' &&
      value !== '' &&
      (value.length <= maxLength || [...value].length <= maxLength),
    `a text of 1 to ${maxLength} characters`,
    { type: 'string', minLength: 1, maxLength },
  );

/** A text of this form, which `must` names. */
export const matching = <T extends string = string>(form: RegExp, must: string): Shape<T> =>
  leaf((value) => typeof value === 'string' && form.test(value), must, {
    type: 'string',
    pattern: form.source,
  });

/** A time in ISO 8601 and UTC: a report shows it as it is where it cannot read it. */
export const moment = leaf<string>(
  (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(value),
  'a time in ISO 8601 and UTC',
  { type: 'string', format: 'date-time' },
);

/** A day, as in 2027-01-31. */
export const date = leaf<string>(
  (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true,
  'a day such as 2027-01-31',
  { type: 'string', format: 'date' },
);

/** A web address. */
export const address = leaf<string>(
  (value) => typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value),
  'an address of http or https',
  { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:' },
);

/** `sha256:…` of a file. */
export const digest = matching(/^sha256:[0-9a-f]{64}$/, 'sha256: with 64 hexadecimal digits');

/** A boolean. */
export const flag = leaf<boolean>((value) => typeof value === 'boolean', 'true or false', {
  type: 'boolean',
});

/** A finite number. */
export const number = leaf<number>(Number.isFinite, 'a number', { type: 'number' });

/** A number that is not below this one, and not above the other. */
export const numberFrom = (minimum: number, maximum = Number.MAX_VALUE): Shape<number> =>
  leaf(
    (value) => typeof value === 'number' && value >= minimum && value <= maximum,
    maximum === Number.MAX_VALUE
      ? `a number of at least ${minimum}`
      : `a number from ${minimum} to ${maximum}`,
    { type: 'number', minimum, ...(maximum === Number.MAX_VALUE ? {} : { maximum }) },
  );

/** A number above zero. */
export const positive = leaf<number>(
  (value) => Number.isFinite(value) && Number(value) > 0,
  'a number above 0',
  {
    type: 'number',
    exclusiveMinimum: 0,
  },
);

/** A whole number that is not below this one, and not above the other. */
export const integerFrom = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Shape<number> =>
  leaf(
    (value) => Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
    maximum === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${minimum}`
      : `a whole number from ${minimum} to ${maximum}`,
    { type: 'integer', minimum, ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }) },
  );

/** How many there are of something. */
export const count = integerFrom(0);
/** A position in a list that begins at 1. */
export const position = integerFrom(1);

/** One of these values. */
export function exactly<const T extends readonly Literal[]>(...values: T): LiteralShape<T[number]> {
  const [only] = values;
  const single = values.length === 1;
  return {
    ...leaf<T[number]>(
      (value) => (single ? value === only : values.includes(value as Literal)),
      `${single ? '' : 'one of '}${values.map((one) => JSON.stringify(one)).join(', ')}`,
      single ? { const: only } : { enum: values },
    ),
    values,
  };
}
