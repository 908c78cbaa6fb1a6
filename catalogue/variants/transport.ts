import type { Seams } from '../../reference-server/seams.ts';
import { onReply, plus, without } from '../faults/answers.ts';
import { headOf, onBytes, pieces, whole } from '../faults/on-bytes.ts';
import type { Variant } from './variant.ts';
import { conforms } from './variant.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </v1/categories>; rel=preload\r\n\r\n';

const EVERY = (): boolean => true;

/** Lawful ways of bytes, which show over sockets only. */
export const transport: readonly Variant[] = [
  {
    id: 'body-in-chunks',
    row: 'K51',
    says: 'Bodies are chunked, without Content-Length.',
    deserves: conforms,
    examine: 'over sockets',
    seen: 'every server that streams',
    ...onReply(EVERY, (reply) => without(reply, 'Content-Length')),
  },
  {
    id: 'connection-closed-each-time',
    row: 'K53',
    says: 'Every answer says that it ends its connection, and does.',
    deserves: conforms,
    examine: 'over sockets',
    seen: 'Apache with KeepAlive off',
    ...onReply(EVERY, (reply) => plus(reply, ['Connection', 'close'])),
  },
  {
    id: 'connection-closed-unannounced',
    row: 'K53',
    says: 'Every second connection is closed behind its first answer, and no answer says so.',
    deserves: conforms,
    examine: 'over sockets',
    seen: 'load balancers that close what was idle for a moment',
    ...closing(),
  },
  {
    id: 'continue-before-each-answer',
    row: 'K55',
    says: 'A 100 that nobody asked for comes before every answer.',
    deserves: conforms,
    examine: 'over sockets',
    seen: 'IIS and older .NET servers, which send it at once',
    ...after(CONTINUE),
  },
  {
    id: 'early-hints-before-each-answer',
    row: 'K55',
    says: 'A 103 with a Link comes before every answer.',
    deserves: conforms,
    examine: 'over sockets',
    seen: 'CDNs with Early Hints; RFC 8297',
    ...after(EARLY_HINTS),
  },
];

/** Closes the connections of even numbers behind their first answer. */
function closing(): Seams {
  const { wrapBytes } = onBytes(
    (_, { client }) => client.connection % 2 === 0,
    (reply) => whole([headOf(reply), reply.body], 'end'),
  );
  return { wrapBytes };
}

/** Sends an interim answer in a segment of its own, and then each answer as it is. */
function after(interim: string): Seams {
  const { wrapBytes } = onBytes(EVERY, (reply) =>
    pieces([Buffer.from(interim), Buffer.concat([headOf(reply), reply.body])]),
  );
  return { wrapBytes };
}
