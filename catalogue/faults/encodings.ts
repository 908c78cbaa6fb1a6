import { gzipSync } from 'node:zlib';
import { headerValues } from '../../reference-server/service/message.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import {
  isCreated,
  isList,
  mapHeader,
  onResponse,
  textOf,
  withLines,
  withText,
  withType,
} from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Media and HTTP": how a body that means JSON is written. */
export const encodings: readonly Fault[] = [
  {
    id: 'list-in-utf-16',
    description: 'The list is in UTF-16, and says so.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'Windows services whose default text encoding is "Unicode"',
    ...onResponse(isList, (response) =>
      withType(
        withBytes(response, Buffer.from(textOf(response), 'utf16le')),
        'application/json; charset=utf-16',
      ),
    ),
  },
  {
    id: 'list-in-invalid-utf-8',
    description: 'The list holds a byte that no UTF-8 has.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'texts cut in the middle of a character by a column counted in bytes',
    ...onResponse(isList, (response) =>
      withBytes(
        response,
        Buffer.concat([Buffer.from('[{"id":0,"name":"caf'), Buffer.from([0xc3]), afterFirst(response)]),
      ),
    ),
  },
  {
    id: 'created-in-latin-1',
    description: 'A 201 is in Latin-1, so that an é is a byte that no UTF-8 has.',
    breaks: ['MEDIA-1', 'CREATE-3'],
    seenIn: 'PHP 5 and servlets, whose default encoding is ISO-8859-1',
    ...onResponse(isCreated, (response) => withBytes(response, Buffer.from(textOf(response), 'latin1'))),
  },
  {
    id: 'list-behind-a-guard',
    description: 'A guard against script inclusion stands before the list, so that it is no JSON.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'Google’s JSON interfaces and AngularJS’s documentation; Gerrit’s REST API',
    ...onResponse(isList, (response) => withText(response, `)]}',\n${textOf(response)}`)),
  },
  {
    id: 'list-with-a-comma-too-many',
    description: 'A comma stands after the last item of the list.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'JSON printed by a loop in a template',
    ...onResponse(isList, (response) => withText(response, textOf(response).replace(/\}\]$/, '},]'))),
  },
  {
    id: 'list-as-json-text',
    description: 'The list is a JSON string that holds the list.',
    breaks: ['LIST-2'],
    seenIn: 'serialisers that are called twice; AWS Lambda proxies that stringify the body again',
    ...onResponse(isList, (response) => withText(response, JSON.stringify(textOf(response)))),
  },
  {
    id: 'list-in-xml-unless-json-is-asked-for',
    description: 'The list is XML where the client accepts any type.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'JAX-RS resources whose @Produces names XML first',
    ...onResponse(
      (response, request) =>
        isList(response, request) && headerValues(request, 'Accept').every((type) => !type.includes('json')),
      (response) => withType(withText(response, '<categories/>'), 'application/xml'),
    ),
  },
  {
    id: 'list-says-utf-16',
    description: 'The list is in UTF-8 and says that it is in UTF-16.',
    breaks: [],
    undecidable: {
      requirement: 'MEDIA-1',
      because:
        'RFC 8259 §11 defines no charset parameter for application/json and says that one has no effect on readers that comply; the bytes are JSON.',
    },
    seenIn: 'types copied from another response',
    ...onResponse(isList, (response) => withType(response, 'application/json; charset=utf-16')),
  },
  {
    id: 'list-with-byte-order-mark',
    description: 'A byte order mark stands before the list.',
    breaks: [],
    undecidable: {
      requirement: 'MEDIA-1',
      because:
        'RFC 8259 §8.1 forbids the mark to senders and lets every reader ignore it, so that the body is JSON to a reader that does.',
    },
    seenIn: '.NET’s Encoding.UTF8, files saved by Windows editors and served as they are',
    ...onResponse(isList, (response) => withText(response, `\uFEFF${textOf(response)}`)),
  },
  {
    id: 'list-gzipped',
    description: 'The list is compressed although the client asked for identity.',
    breaks: [],
    warnings: ['MEDIA-1'],
    seenIn: 'CDNs that store one compressed copy for everybody',
    ...onResponse(isList, (response) =>
      withLines(withBytes(response, gzipSync(response.body)), ['Content-Encoding', 'gzip']),
    ),
  },
];

function withBytes(response: SentResponse, body: Uint8Array): SentResponse {
  return mapHeader({ ...response, body }, 'Content-Length', () => String(body.length));
}

/** What follows a first item's broken name: its end, and the items of the list. */
function afterFirst(response: SentResponse): Uint8Array {
  const rest = textOf(response).slice(1);
  return Buffer.from(rest === ']' ? '"}]' : `"},${rest}`);
}
