import type { Socket } from 'node:net';
import type { ArrivalLine } from '../model/journal.ts';

interface Connection {
  readonly id: number;
  requests: number;
  /** The number of the request that was answered last, where none has come since. */
  lastResponse: number | undefined;
}

/** The open connections of one service, numbered from 1. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  #opened = 0;

  open(socket: Socket): void {
    this.#opened += 1;
    this.#open.set(socket, { id: this.#opened, requests: 0, lastResponse: undefined });
    socket.on('close', () => this.#open.delete(socket));
  }

  /** Counts a request; 0 is the number of a connection that has closed meanwhile. */
  arrivalOn(socket: Socket): ArrivalLine['connection'] {
    const connection = this.#open.get(socket);
    if (connection === undefined) return { id: 0, fresh: true };
    connection.requests += 1;
    connection.lastResponse = undefined;
    return { id: connection.id, fresh: connection.requests === 1 };
  }

  /** The response to request `n` is about to be written. */
  answers(socket: Socket, n: number): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.lastResponse = n;
  }

  /** The request whose response came last on a connection, where the client has sent nothing further on it. */
  lastAnswered(socket: Socket): number | undefined {
    return this.#open.get(socket)?.lastResponse;
  }

  /** Ends every connection at once. */
  destroy(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}
