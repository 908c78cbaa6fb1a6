import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from './message.ts';

/** What the server remembers of a connection. */
export interface Connection {
  /** From 1, in the order of their first request. */
  readonly number: number;
  /** The last request that came with a body, as its head says it; `raw.complete` says whether it arrived whole. */
  receiving?: { readonly raw: IncomingMessage; readonly head: Request };
  /** Settles when every request so far is answered; undefined when all are. */
  pending: Promise<void> | undefined;
  /** Whether its last request has come: RFC 9112 §9.6 wants none processed behind the one that ends it. */
  ending: boolean;
  /** Whether the rest of its bytes cannot be read as requests. */
  broken: boolean;
}

/** Keeps one `Connection` for each socket. */
export function rememberConnections(): (socket: Socket) => Connection {
  const known = new WeakMap<Socket, Connection>();
  let last = 0;
  return (socket) => {
    const found = known.get(socket);
    if (found !== undefined) return found;
    last += 1;
    const made: Connection = { number: last, pending: undefined, ending: false, broken: false };
    known.set(socket, made);
    return made;
  };
}

/**
 * Does `work` when every earlier request of the connection is answered, at once
 * where all are. RFC 9112 §9.3.2: pipelined requests may be processed at the
 * same time only if all of them are safe, and a creation is not.
 * @param work must not reject
 */
export function inTurn(connection: Connection, work: () => void | Promise<void>): void {
  const done = connection.pending === undefined ? work() : connection.pending.then(work);
  if (done === undefined) return;
  const pending = done.then(() => {
    if (connection.pending === pending) connection.pending = undefined;
  });
  connection.pending = pending;
}
