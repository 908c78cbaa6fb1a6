import { onReply, plus, without } from '../faults/answers.ts';
import type { Variant } from './variant.ts';
import { conforms } from './variant.ts';

/** Lawful ways of bytes, which show over sockets only. */
export const transport: readonly Variant[] = [
  {
    id: 'body-in-chunks',
    row: 'K51',
    says: 'Bodies are chunked, without Content-Length.',
    deserves: conforms,
    examine: 'over sockets',
    seen: 'every server that streams',
    ...onReply(
      () => true,
      (reply) => without(reply, 'Content-Length'),
    ),
  },
  {
    id: 'connection-closed-each-time',
    row: 'K53',
    says: 'Every answer ends its connection.',
    deserves: conforms,
    examine: 'over sockets',
    seen: 'Apache prefork with KeepAlive off',
    ...onReply(
      () => true,
      (reply) => plus(reply, ['Connection', 'close']),
    ),
  },
];
