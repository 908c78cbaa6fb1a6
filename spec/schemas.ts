import type { SchemaObject } from 'ajv';

const NewCategory = {
  description: 'Sent by the client on creation. Length bounds and uniqueness rules are not shown.',
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', description: 'The category name.' },
    description: { type: 'string', description: 'A short description of the category.' },
  },
} satisfies SchemaObject;

/**
 * The schemas of `openapi.yaml` without references, as a test compares: to parse them would take longer than a quick run
 * needs to judge. They are ready for ajv in strict mode with the formats of ajv-formats: they use no keyword that OpenAPI
 * 3.0 has and JSON Schema lacks. `int64` needs its own check on the JSON text, since a JavaScript number is rounded from
 * 2^53 on.
 */
export const specifiedSchemas = {
  NewCategory,
  Category: {
    description: 'Returned by the service. A Category is a NewCategory plus `id`.',
    allOf: [
      NewCategory,
      {
        type: 'object',
        required: ['id'],
        properties: {
          id: {
            type: 'integer',
            format: 'int64',
            description: 'Assigned by the service on creation. Not supplied by the client.',
          },
        },
      },
    ],
  },
  Error: {
    description: 'Body of error responses. The set of `code` values is not shown.',
    type: 'object',
    required: ['code', 'message', 'status'],
    properties: {
      code: { type: 'string', description: 'Machine-readable error code.' },
      message: { type: 'string', description: 'Human-readable description.' },
      status: { type: 'integer', description: 'The HTTP status code.' },
    },
  },
} satisfies Readonly<Record<string, SchemaObject>>;
