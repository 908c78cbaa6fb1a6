import { gzipSync } from 'node:zlib';
import { headerValues } from '../../reference-server/message.ts';
import type { Reply } from './answers.ts';
import { isCreated, isList, mapHeader, onReply, plus, textOf, withText, withType } from './answers.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Media and HTTP": how a body that means JSON is written. */
export const encodings: readonly Fault[] = [
  {
    id: 'list-in-utf-16',
    says: 'The list is in UTF-16, and says so.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seen: 'Windows services whose default text encoding is "Unicode"',
    ...onReply(isList, (reply) =>
      withType(withBytes(reply, Buffer.from(textOf(reply), 'utf16le')), 'application/json; charset=utf-16'),
    ),
  },
  {
    id: 'list-in-invalid-utf-8',
    says: 'The list holds a byte that no UTF-8 has.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seen: 'texts cut in the middle of a character by a column counted in bytes',
    ...onReply(isList, (reply) =>
      withBytes(
        reply,
        Buffer.concat([Buffer.from('[{"id":0,"name":"caf'), Buffer.from([0xc3]), afterFirst(reply)]),
      ),
    ),
  },
  {
    id: 'created-in-latin-1',
    says: 'A 201 is in Latin-1, so that an é is a byte that no UTF-8 has.',
    breaks: ['MEDIA-1', 'CREATE-3'],
    seen: 'PHP 5 and servlets, whose default encoding is ISO-8859-1',
    ...onReply(isCreated, (reply) => withBytes(reply, Buffer.from(textOf(reply), 'latin1'))),
  },
  {
    id: 'list-behind-a-guard',
    says: 'A guard against script inclusion stands before the list, so that it is no JSON.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seen: 'Google’s JSON interfaces and AngularJS’s documentation; Gerrit’s REST API',
    ...onReply(isList, (reply) => withText(reply, `)]}',\n${textOf(reply)}`)),
  },
  {
    id: 'list-with-a-comma-too-many',
    says: 'A comma stands after the last item of the list.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seen: 'JSON printed by a loop in a template',
    ...onReply(isList, (reply) => withText(reply, textOf(reply).replace(/\}\]$/, '},]'))),
  },
  {
    id: 'list-as-json-text',
    says: 'The list is a JSON string that holds the list.',
    breaks: ['LIST-2'],
    seen: 'serialisers that are called twice; AWS Lambda proxies that stringify the body again',
    ...onReply(isList, (reply) => withText(reply, JSON.stringify(textOf(reply)))),
  },
  {
    id: 'list-in-xml-unless-json-is-asked-for',
    says: 'The list is XML where the client accepts any type.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seen: 'JAX-RS resources whose @Produces names XML first',
    ...onReply(
      (reply, request) =>
        isList(reply, request) && headerValues(request, 'Accept').every((type) => !type.includes('json')),
      (reply) => withType(withText(reply, '<categories/>'), 'application/xml'),
    ),
  },
  {
    id: 'list-says-utf-16',
    says: 'The list is in UTF-8 and says that it is in UTF-16.',
    breaks: [],
    undecidable: {
      about: 'MEDIA-1',
      because:
        'RFC 8259 §11 defines no charset parameter for application/json and says that one has no effect on readers that comply; the bytes are JSON.',
    },
    seen: 'types copied from another response',
    ...onReply(isList, (reply) => withType(reply, 'application/json; charset=utf-16')),
  },
  {
    id: 'list-with-byte-order-mark',
    says: 'A byte order mark stands before the list.',
    breaks: [],
    undecidable: {
      about: 'MEDIA-1',
      because:
        'RFC 8259 §8.1 forbids the mark to senders and lets every reader ignore it, so that the body is JSON to a reader that does.',
    },
    seen: '.NET’s Encoding.UTF8, files saved by Windows editors and served as they are',
    ...onReply(isList, (reply) => withText(reply, `\uFEFF${textOf(reply)}`)),
  },
  {
    id: 'list-gzipped',
    says: 'The list is compressed although the client asked for identity.',
    breaks: [],
    warns: ['MEDIA-1'],
    seen: 'CDNs that store one compressed copy for everybody',
    ...onReply(isList, (reply) => plus(withBytes(reply, gzipSync(reply.body)), ['Content-Encoding', 'gzip'])),
  },
];

function withBytes(reply: Reply, body: Uint8Array): Reply {
  return mapHeader({ ...reply, body }, 'Content-Length', () => String(body.length));
}

/** What follows a first item's broken name: its end, and the items of the list. */
function afterFirst(reply: Reply): Uint8Array {
  const rest = textOf(reply).slice(1);
  return Buffer.from(rest === ']' ? '"}]' : `"},${rest}`);
}
