// @ts-check
/** @import { FaultyClient, Outgoing, WrittenRequest } from '../client.ts' */
import { written } from '../core.js';

/** What every client of this file has in common: its creations are not what the specification describes. */
const misshapen = /** @type {const} */ ({
  breaks: ['CLIENT-4'],
  warnings: [],
  open: null,
  advice: [],
});

/**
 * A client whose creations have this type and this body; null is no Content-Type.
 * @param {string | null} type
 * @param {string} body
 * @returns {{ write: (outgoing: Outgoing) => WrittenRequest }}
 */
const creates = (type, body) => ({
  write: ({ method, key }) => {
    const headers = { Authorization: `Bearer ${key}` };
    if (method === 'GET') return written(method, headers);
    return {
      path: '/categories',
      headers: type === null ? headers : { ...headers, 'Content-Type': type },
      body,
    };
  },
});

const JSON_TYPE = 'application/json';

/**
 * Clients whose creations are no JSON, or not a NewCategory.
 * @type {readonly FaultyClient[]}
 */
export const bodies = [
  {
    ...misshapen,
    id: 'creation-with-id',
    description: 'The client chooses the id of the category.',
    seenIn: 'clients that send the model of the response back',
    behaviour: creates(JSON_TYPE, '{"id":7,"name":"rabbit"}'),
  },
  {
    ...misshapen,
    id: 'creation-with-null-id',
    description: 'The client sends "id": null.',
    seenIn: 'Jackson and Gson with one class for request and response, which write null',
    behaviour: creates(JSON_TYPE, '{"id":null,"name":"rabbit"}'),
  },
  {
    ...misshapen,
    id: 'creation-form-encoded',
    description: 'The client sends its creations as a form.',
    seenIn: 'requests.post(url, data={…}) and curl -d without a header',
    behaviour: creates('application/x-www-form-urlencoded', 'name=rabbit'),
  },
  {
    ...misshapen,
    id: 'creation-as-text',
    description: 'The client sends JSON as text/plain.',
    seenIn: 'fetch with a string as body and no Content-Type',
    behaviour: creates('text/plain;charset=UTF-8', '{"name":"rabbit"}'),
  },
  {
    ...misshapen,
    id: 'creation-without-type',
    description: 'The client sends JSON without a Content-Type.',
    seenIn: 'requests.post(url, data=json.dumps(…)) and Java’s HttpClient',
    behaviour: creates(null, '{"name":"rabbit"}'),
  },
  {
    ...misshapen,
    id: 'creation-as-vendor-type',
    description: 'The client sends its creations as application/vnd.api+json.',
    seenIn: 'clients written for JSON:API',
    behaviour: creates('application/vnd.api+json', '{"name":"rabbit"}'),
  },
  {
    ...misshapen,
    id: 'name-as-number',
    description: 'The client sends a number as the name.',
    seenIn: 'rows of a spreadsheet that are sent as they are',
    behaviour: creates(JSON_TYPE, '{"name":42}'),
  },
  {
    ...misshapen,
    id: 'creation-without-name',
    description: 'The client leaves the name out.',
    seenIn: 'serializers that leave out empty fields',
    behaviour: creates(JSON_TYPE, '{"description":"A breed."}'),
  },
  {
    ...misshapen,
    id: 'description-as-number',
    description: 'The client sends a number as the description.',
    seenIn: 'rows of a spreadsheet that are sent as they are',
    behaviour: creates(JSON_TYPE, '{"name":"rabbit","description":42}'),
  },
  {
    ...misshapen,
    id: 'description-null',
    description: 'The client sends "description": null.',
    breaks: [],
    warnings: ['CLIENT-4'],
    seenIn: 'json_encode of a class (PHP), Jackson and Gson, which write null for what was not set',
    behaviour: creates(JSON_TYPE, '{"name":"rabbit","description":null}'),
  },
  {
    ...misshapen,
    id: 'creation-in-an-array',
    description: 'The client sends an array with one category.',
    seenIn: 'clients of bulk interfaces; PowerShell’s ConvertTo-Json of a list',
    behaviour: creates(JSON_TYPE, '[{"name":"rabbit"}]'),
  },
  {
    ...misshapen,
    id: 'creation-as-json-text',
    description: 'The client sends a JSON string that contains the category.',
    seenIn: 'requests.post(url, json=json.dumps(…))',
    behaviour: creates(JSON_TYPE, '"{\\"name\\":\\"rabbit\\"}"'),
  },
  {
    ...misshapen,
    id: 'creation-as-python-text',
    description: 'The client sends a text that resembles JSON, with single quotation marks.',
    seenIn: 'str() of a Python dictionary',
    behaviour: creates(JSON_TYPE, "{'name': 'rabbit'}"),
  },
];
