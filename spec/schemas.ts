/** A field as the specification's tables have it. */
export interface SpecifiedField {
  readonly type: 'integer' | 'string';
  readonly required: boolean;
}

const name = { type: 'string', required: true } as const;
const description = { type: 'string', required: false } as const;

/** The three schemas of the specification, "Resources and their fields". An integer `id` is an int64. */
export const SCHEMAS = {
  Category: { id: { type: 'integer', required: true }, name, description },
  NewCategory: { name, description },
  Error: {
    code: { type: 'string', required: true },
    message: { type: 'string', required: true },
    status: { type: 'integer', required: true },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SpecifiedField>>>>;

export type SchemaName = keyof typeof SCHEMAS;
