import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from '../service/message.ts';

/** What the server remembers of a connection. */
export interface Connection {
  /** From 1, in the order of their first request. */
  readonly number: number;
  /** The head of the last request that has a body; `raw.complete` says whether that body arrived in full. */
  receiving?: { readonly raw: IncomingMessage; readonly head: Request };
  /** Settles when every request so far has its response; undefined when all have. */
  pending: Promise<void> | undefined;
  /** Whether its last request has arrived: RFC 9112 §9.6 forbids to process any request after it. */
  closing: boolean;
  /** Whether the rest of its bytes cannot be parsed as requests. */
  broken: boolean;
}

/** Keeps one `Connection` for each socket. */
export function rememberConnections(): (socket: Socket) => Connection {
  const bySocket = new WeakMap<Socket, Connection>();
  let last = 0;
  return (socket) => {
    const known = bySocket.get(socket);
    if (known !== undefined) return known;
    last += 1;
    const connection: Connection = { number: last, pending: undefined, closing: false, broken: false };
    bySocket.set(socket, connection);
    return connection;
  };
}

/**
 * Calls `task` with its arguments when every earlier request of the connection has its response, at once where all have:
 * without a closure, which each request would pay for. RFC 9112 §9.3.2: pipelined requests may be processed in
 * parallel only if all of them are safe, and a creation is not.
 * @param task must not reject
 */
export function inOrder<Arguments extends readonly unknown[]>(
  connection: Connection,
  task: (...these: Arguments) => void | Promise<void>,
  ...these: Arguments
): void {
  const done =
    connection.pending === undefined ? task(...these) : connection.pending.then(() => task(...these));
  if (done !== undefined) connection.pending = pendingUntil(done, connection);
}

function pendingUntil(done: Promise<void>, connection: Connection): Promise<void> {
  const pending = done.then(() => {
    if (connection.pending === pending) connection.pending = undefined;
  });
  return pending;
}
