import { isJsonMediaType } from '../../../../kernel/exchanges/headers.ts';
import type { Description, Located } from '../../evidence/openapi/description.ts';
import { at, membersOf } from '../../evidence/openapi/json-value.ts';
import type { Mismatch } from '../../evidence/openapi/mismatch.ts';
import { doubtful, violating } from '../../evidence/openapi/mismatch.ts';
import { shapeOf } from '../../evidence/openapi/shape.ts';
import type { SchemaName } from './described-schemas.ts';
import { schemaMismatches } from './described-schemas.ts';

/** A response of the specification; the list is an array of categories. */
export interface ExpectedResponse {
  readonly status: '200' | '201' | '400' | '401' | '429';
  readonly body: SchemaName | 'list of Category' | 'not shown';
  /** Whether a description that lacks it contradicts the specification, or only one reading of it. */
  readonly lacking: 'violation' | 'doubt';
}

/** Compares the responses of an operation with those of the specification. Further ones are left open. */
export function responseMismatches(
  document: Description,
  operation: Located,
  name: string,
  expected: readonly ExpectedResponse[],
): readonly Mismatch[] {
  const responses = document.within(operation, 'responses');
  if (responses.kind !== 'found') return [];
  const { located } = responses;
  return expected.flatMap((response): readonly Mismatch[] => {
    const { status, body, lacking } = response;
    const key = [status, `${status[0]}XX`].find((one) => at(located.value, one) !== undefined);
    if (key === undefined) {
      // A default describes every error that is not listed.
      const covered = status >= '400' && at(located.value, 'default') !== undefined;
      const text = `the ${status} of ${name} is not described`;
      return covered ? [] : [lacking === 'violation' ? violating(text) : doubtful(text)];
    }
    const found = document.within(located, key);
    if (body === 'not shown' || found.kind !== 'found') return [];
    return bodyMismatches(document, found.located, body, `the ${status} of ${name}`);
  });
}

/** Compares the body that a creation sends: "required, JSON NewCategory". */
export function requestMismatches(
  document: Description,
  operation: Located,
  name: string,
): readonly Mismatch[] {
  const body = document.within(operation, 'requestBody');
  if (body.kind === 'unread') return [];
  if (body.kind === 'nowhere') return [violating(`${name} is described without a request body`)];
  const where = `the request body of ${name}`;
  const optional =
    at(body.located.value, 'required') === true ? [] : [violating(`${where} is not described as required`)];
  return [...optional, ...bodyMismatches(document, body.located, 'NewCategory', where)];
}

function bodyMismatches(
  document: Description,
  holder: Located,
  body: Exclude<ExpectedResponse['body'], 'not shown'>,
  where: string,
): readonly Mismatch[] {
  const content = document.within(holder, 'content');
  const types = content.kind === 'found' ? membersOf(content.located.value) : [];
  const json = types.find(([type]) => isJsonMediaType(type));
  if (json === undefined || content.kind !== 'found') {
    const any = types.some(([type]) => /^(\*|application)\/\*/.test(type));
    const text = `${where} is described without a body of \`application/json\``;
    return content.kind === 'unread' ? [] : [any ? doubtful(text) : violating(text)];
  }
  const schema = document.within({ address: content.located.address, value: json[1] }, 'schema');
  if (schema.kind !== 'found')
    return schema.kind === 'unread' ? [] : [doubtful(`${where} is described without a schema`)];
  return body === 'list of Category'
    ? listMismatches(document, schema.located, where)
    : schemaMismatches(document, schema.located, body, where);
}

function listMismatches(document: Description, schema: Located, where: string): readonly Mismatch[] {
  const { types, open } = shapeOf(document, schema);
  if (!types.has('array')) {
    const text = `${where} is not described as an array`;
    return open ? [] : [types.size === 0 ? doubtful(text) : violating(text)];
  }
  const items = document.within(schema, 'items');
  if (items.kind !== 'found') return [];
  return schemaMismatches(document, items.located, 'Category', `an item in ${where}`);
}
