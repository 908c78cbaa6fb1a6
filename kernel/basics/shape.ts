import { isJsonObject } from './json.ts';
import { countOf, nearest, quoted } from './text.ts';

// One definition of each file format: a shape carries the static type of a value, checks a value that was read, and
// prints its JSON Schema. A check leaves further fields to later versions of the suite; a schema states those of this one.

export type JsonSchema = Readonly<Record<string, unknown>>;

type Definitions = Map<string, JsonSchema>;

/** What is wrong with a value: the place in it, such as `.findings[0].id`, and the rule, such as `must be a text`. */
interface Trouble {
  readonly at: string;
  readonly rule: string;
}

export interface Shape<T> {
  readonly is: (value: unknown) => value is T;
  /** The first thing that is wrong with a value; undefined where it has this shape. */
  readonly troubleOf: (value: unknown) => Trouble | undefined;
  readonly schema: (definitions: Definitions) => JsonSchema;
}

export type Static<S> = S extends Shape<infer T> ? T : never;

export interface OptionalShape<T> extends Shape<T> {
  readonly optional: true;
}

type Literal = string | number | boolean | null;

export interface LiteralShape<T> extends Shape<T> {
  readonly values: readonly Literal[];
}

type Fields = Readonly<Record<string, Shape<unknown>>>;
type Flat<T> = { [K in keyof T]: T[K] };

export type StaticFields<F> = Flat<
  { readonly [K in keyof F as F[K] extends { readonly optional: true } ? never : K]: Static<F[K]> } & {
    readonly [K in keyof F as F[K] extends { readonly optional: true } ? K : never]?: Static<F[K]>;
  }
>;

export interface ObjectShape<F> extends Shape<StaticFields<F>> {
  readonly fields: F;
}

/** A shape whose static type is stated, because a check says less than it: an id of the register is any text here. */
export function shape<T>(
  troubleOf: (value: unknown) => Trouble | undefined,
  schema: (definitions: Definitions) => JsonSchema,
): Shape<T> {
  return { is: (value): value is T => troubleOf(value) === undefined, troubleOf, schema };
}

/** The shape of values of which nothing is part of another. */
export function leaf<T>(holds: (value: unknown) => boolean, must: string, schema: JsonSchema): Shape<T> {
  const trouble = { at: '', rule: `must be ${must}` };
  return shape(
    (value) => (holds(value) ? undefined : trouble),
    () => schema,
  );
}

const within = (place: string, { at, rule }: Trouble): Trouble => ({ at: `${place}${at}`, rule });

/** What is wrong with a value that has not this shape, in a clause for a person. */
export function troubleText(value: unknown, { troubleOf }: Shape<unknown>, name = 'the file'): string {
  const { at, rule } = troubleOf(value) ?? { at: '', rule: 'is right' };
  return `${at.replace(/^\./, '') || name} ${rule}`;
}

/** This shape, or no field at all. */
export const maybe = <T>({ troubleOf, schema }: Shape<T>): OptionalShape<T> => ({
  ...shape<T>((value) => (value === undefined ? undefined : troubleOf(value)), schema),
  optional: true,
});

export const orNull = <T>({ troubleOf, schema }: Shape<T>): Shape<T | null> =>
  shape(
    (value) => (value === null ? undefined : troubleOf(value)),
    (definitions) => ({ anyOf: [schema(definitions), { type: 'null' }] }),
  );

export const listOf = <T>(item: Shape<T>, minItems = 0, maxItems = Infinity): Shape<readonly T[]> =>
  shape(
    (value) => {
      if (!Array.isArray(value)) return { at: '', rule: 'must be a list' };
      if (value.length < minItems)
        return { at: '', rule: `must have at least ${countOf(minItems, 'entry', 'entries')}` };
      if (value.length > maxItems) return { at: '', rule: `must have at most ${maxItems}` };
      for (let i = 0; i < value.length; i += 1) {
        const trouble = item.troubleOf(value[i]);
        if (trouble !== undefined) return within(`[${i}]`, trouble);
      }
      return undefined;
    },
    (definitions) => ({
      type: 'array',
      ...(minItems === 0 ? {} : { minItems }),
      ...(maxItems === Infinity ? {} : { maxItems }),
      items: item.schema(definitions),
    }),
  );

const NO_OBJECT: Trouble = { at: '', rule: 'must be an object' };

/** An object with any keys, and values of one shape. */
export const mapOf = <T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> =>
  shape(
    (value) => {
      if (!isJsonObject(value)) return NO_OBJECT;
      for (const [key, one] of Object.entries(value)) {
        const trouble = item.troubleOf(one);
        if (trouble !== undefined) return within(`[${quoted(key)}]`, trouble);
      }
      return undefined;
    },
    (definitions) => ({ type: 'object', additionalProperties: item.schema(definitions) }),
  );

/** An object with these fields, and further ones. A description goes before them. */
export function object<F extends Fields>(
  ...given: readonly [fields: F] | readonly [description: string, fields: F]
): ObjectShape<F> {
  const fields = given.at(-1) as F;
  const names = Object.keys(fields);
  const shapes = Object.values(fields);
  const checks = shapes.map(({ troubleOf: check }) => check);
  const required = names.filter((_, i) => !('optional' in (shapes[i] ?? {})));
  const troubleOf = (value: unknown): Trouble | undefined => {
    if (!isJsonObject(value)) return NO_OBJECT;
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i] as string;
      const trouble = checks[i]?.(value[name]);
      if (trouble !== undefined) return within(`.${name}`, trouble);
    }
    return undefined;
  };
  const schema = (definitions: Definitions): JsonSchema => ({
    ...(given.length === 1 ? {} : { description: given[0] }),
    type: 'object',
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(names.map((name, i) => [name, shapes[i]?.schema(definitions)])),
  });
  return { ...shape<StaticFields<F>>(troubleOf, schema), fields };
}

/** An object that has no further fields: a person writes it, and may misspell one. */
export const closed = <F extends Fields>(open: ObjectShape<F>): ObjectShape<F> => ({
  ...open,
  ...shape<StaticFields<F>>((value) => {
    const known = Object.keys(open.fields);
    const unknown = isJsonObject(value)
      ? Object.keys(value).find((name) => !known.includes(name))
      : undefined;
    if (unknown === undefined) return open.troubleOf(value);
    const likely = nearest(unknown, known);
    const question = likely === undefined ? '' : ` (did you mean "${likely}"?)`;
    return { at: '', rule: `has ${quoted(unknown)}${question}; it may have ${known.join(', ')}` };
  }, open.schema),
});

/** Fields of which one has certain values. */
type Tagged<K extends string> = Fields & { readonly [Key in K]: LiteralShape<unknown> };

/** One of several objects, which the value of this field tells apart. */
export function union<K extends string, M extends readonly ObjectShape<Tagged<K>>[]>(
  key: K,
  ...members: M
): Shape<Static<M[number]>> {
  const byValue = new Map<unknown, Shape<unknown>>(
    members.flatMap((member) => member.fields[key].values.map((value) => [value, member] as const)),
  );
  const unknown = { at: `.${key}`, rule: `must be one of ${[...byValue.keys()].join(', ')}` };
  return shape(
    (value) => {
      if (!isJsonObject(value)) return NO_OBJECT;
      const member = byValue.get(value[key]);
      return member === undefined ? unknown : member.troubleOf(value);
    },
    (definitions) => ({ oneOf: members.map((member) => member.schema(definitions)) }),
  );
}

/** A shape with a rule over several of its fields; `schema` says the same. */
export function where<S extends Shape<unknown>>(
  inner: S,
  holds: (value: Static<S>) => boolean,
  rule: string,
  schema: JsonSchema = {},
): S {
  const trouble = { at: '', rule };
  return {
    ...inner,
    ...shape(
      (value) => inner.troubleOf(value) ?? (holds(value as Static<S>) ? undefined : trouble),
      (definitions) => ({ ...inner.schema(definitions), ...schema }),
    ),
  };
}

export const about = <S extends Shape<unknown>>(description: string, inner: S): S => ({
  ...inner,
  schema: (definitions: Definitions) => ({ description, ...inner.schema(definitions) }),
});

/** A shape that a schema defines once and refers to by its name. */
export const named = <S extends Shape<unknown>>(name: string, inner: S): S => ({
  ...inner,
  schema: (definitions: Definitions) => {
    if (!definitions.has(name)) {
      definitions.set(name, {});
      definitions.set(name, inner.schema(definitions));
    }
    return { $ref: `#/$defs/${name}` };
  },
});

export function schemaOf(title: string, root: Shape<unknown>): JsonSchema {
  const definitions = new Map<string, JsonSchema>();
  const schema = root.schema(definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...schema,
    ...(definitions.size === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
  };
}

export const text = leaf<string>((value) => typeof value === 'string', 'a text', { type: 'string' });

export const someText = leaf<string>(
  (value) => typeof value === 'string' && value !== '',
  'a text that is not empty',
  { type: 'string', minLength: 1 },
);

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

export const date = leaf<string>(
  (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true,
  'a day such as 2027-01-31',
  { type: 'string', format: 'date' },
);

export const address = leaf<string>(
  (value) => typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value),
  'an address of http or https',
  { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:' },
);

/** `sha256:…` of a file. */
export const digest = matching(/^sha256:[0-9a-f]{64}$/, 'sha256: with 64 hexadecimal digits');

export const flag = leaf<boolean>((value) => typeof value === 'boolean', 'true or false', {
  type: 'boolean',
});

export const number = leaf<number>(Number.isFinite, 'a number', { type: 'number' });

export const numberFrom = (minimum: number, maximum = Number.MAX_VALUE): Shape<number> =>
  leaf(
    (value) => typeof value === 'number' && value >= minimum && value <= maximum,
    maximum === Number.MAX_VALUE
      ? `a number of at least ${minimum}`
      : `a number from ${minimum} to ${maximum}`,
    { type: 'number', minimum, ...(maximum === Number.MAX_VALUE ? {} : { maximum }) },
  );

export const positive = leaf<number>(
  (value) => Number.isFinite(value) && Number(value) > 0,
  'a number above 0',
  { type: 'number', exclusiveMinimum: 0 },
);

const integerFrom = (minimum: number): Shape<number> =>
  leaf(
    (value) => Number.isSafeInteger(value) && Number(value) >= minimum,
    `a whole number of at least ${minimum}`,
    { type: 'integer', minimum },
  );

export const count = integerFrom(0);
export const position = integerFrom(1);

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
