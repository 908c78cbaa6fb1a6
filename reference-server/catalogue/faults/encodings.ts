import { gzipSync } from 'node:zlib';
import { headerValues } from '../../service/message.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import {
  addingLines,
  changingHeader,
  changingText,
  isCreated,
  isList,
  mapHeader,
  onResponse,
  textOf,
  withLines,
  withText,
  withType,
} from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** Faults of the chapter "Media and HTTP": the encoding of JSON bodies. */
export const encodings: StatedFaults = {
  'list-in-utf-16': {
    description: 'The list is encoded in UTF-16, and its Content-Type says so.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'Windows services whose default text encoding is "Unicode"',
    ...onResponse(isList, (response) =>
      withType(
        withBytes(response, Buffer.from(textOf(response), 'utf16le')),
        'application/json; charset=utf-16',
      ),
    ),
  },
  'list-in-invalid-utf-8': {
    description: 'The list contains a byte that is invalid in UTF-8.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'texts cut within a character by a column whose length is counted in bytes',
    ...onResponse(isList, (response) =>
      withBytes(
        response,
        Buffer.concat([Buffer.from('[{"id":0,"name":"caf'), Buffer.from([0xc3]), afterFirst(response)]),
      ),
    ),
  },
  'created-in-latin-1': {
    description: 'A 201 response is encoded in Latin-1, so that an é is invalid UTF-8.',
    breaks: ['MEDIA-1', 'CREATE-3'],
    seenIn: 'PHP 5 and servlets, whose default encoding is ISO-8859-1',
    ...onResponse(isCreated, (response) => withBytes(response, Buffer.from(textOf(response), 'latin1'))),
  },
  'list-with-script-prefix': {
    description: 'The list begins with a prefix against script inclusion, so it is not JSON.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'Google’s JSON interfaces and AngularJS’s documentation; Gerrit’s REST API',
    ...changingText(isList, (text) => `)]}',\n${text}`),
  },
  'list-with-trailing-comma': {
    description: 'The list has a trailing comma after its last item.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'JSON written by a loop in a template',
    ...changingText(isList, (text) => text.replace(/\}\]$/, '},]')),
  },
  'list-as-json-text': {
    description: 'The body is a JSON string that contains the list.',
    breaks: ['LIST-2'],
    seenIn: 'serializers that are called twice; AWS Lambda proxies that stringify the body again',
    ...changingText(isList, (text) => JSON.stringify(text)),
  },
  'list-in-xml-unless-json-is-accepted': {
    description: 'The list is XML unless the Accept header names JSON.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'JAX-RS resources whose @Produces names XML first',
    ...onResponse(
      (response, request) =>
        isList(response, request) && headerValues(request, 'Accept').every((type) => !type.includes('json')),
      (response) => withType(withText(response, '<categories/>'), 'application/xml'),
    ),
  },
  'list-says-utf-16': {
    description: 'The list is encoded in UTF-8, but its Content-Type says UTF-16.',
    undecidable: {
      requirement: 'MEDIA-1',
      because:
        'RFC 8259 §11 defines no charset parameter for application/json and says that it has no effect on compliant readers; the bytes are JSON.',
    },
    seenIn: 'types copied from another response',
    ...changingHeader(isList, 'Content-Type', () => 'application/json; charset=utf-16'),
  },
  'list-with-byte-order-mark': {
    description: 'The list begins with a byte order mark.',
    warnings: ['MEDIA-1'],
    seenIn: '.NET’s Encoding.UTF8; files saved by Windows editors and served unchanged',
    ...changingText(isList, (text) => `\uFEFF${text}`),
  },
  'list-with-a-repeated-name': {
    description: 'Each category of the list has the name "id" twice: first with 0, then with its id.',
    warnings: ['MEDIA-1'],
    seenIn:
      'serializers that write a field and a getter of the same name; JSON written by string concatenation',
    ...changingText(isList, (text) => text.replaceAll('{"id":', '{"id":0,"id":')),
  },
  'list-says-gzip': {
    description: 'The list is plain JSON, but its Content-Encoding says gzip.',
    breaks: ['MEDIA-1'],
    seenIn: 'proxies that decompress a body and pass its header on',
    ...addingLines(isList, ['Content-Encoding', 'gzip']),
  },
  'charset-as-content-encoding': {
    description: 'The Content-Encoding of the list is UTF-8.',
    warnings: ['MEDIA-1'],
    seenIn: 'services that take the header for the place of the charset',
    ...addingLines(isList, ['Content-Encoding', 'UTF-8']),
  },
  'list-gzipped': {
    description: 'The list is compressed although the client asked for identity.',
    warnings: ['MEDIA-1'],
    seenIn: 'CDNs that store one compressed copy for all clients',
    ...onResponse(isList, (response) =>
      withLines(withBytes(response, gzipSync(response.body)), ['Content-Encoding', 'gzip']),
    ),
  },
};

function withBytes(response: SentResponse, body: Uint8Array): SentResponse {
  return mapHeader({ ...response, body }, 'Content-Length', () => String(body.length));
}

/** The bytes after the broken name of a first item: its end, and the items of the list. */
function afterFirst(response: SentResponse): Uint8Array {
  const rest = textOf(response).slice(1);
  return Buffer.from(rest === ']' ? '"}]' : `"},${rest}`);
}
