import type { Request } from '../../reference-server/message.ts';
import type { Transmission } from '../../reference-server/transmission.ts';
import { head, headerText, statusLine } from '../../reference-server/transmission.ts';
import type { Applies, Reply } from './answers.ts';
import type { BytesFault } from './fault.ts';

/** Sends the answers that are concerned as other bytes than HTTP has for them. */
export function onBytes(
  applies: Applies,
  send: (reply: Reply, request: Request) => Transmission,
): Pick<BytesFault, 'kind' | 'wrapBytes'> {
  return {
    kind: 'bytes',
    wrapBytes: {
      transmit(response, request) {
        const reply: Reply = { kind: 'response', ...response };
        return applies(reply, request) ? send(reply, request) : undefined;
      },
    },
  };
}

/** The head of an answer, with lines changed, added or left out. */
export function headOf(
  reply: Reply,
  change: (lines: readonly string[]) => readonly string[] = (lines) => lines,
): Uint8Array {
  return head([statusLine(reply.status), ...change(headerText(reply))]);
}

/** Every line but those of one header. */
export function lacking(name: string): (lines: readonly string[]) => readonly string[] {
  return (lines) => lines.filter((line) => !line.startsWith(`${name}:`));
}

/** Pieces that arrive one by one, after which the connection stays open unless said otherwise. */
export function pieces(
  all: readonly Uint8Array[],
  connection: Transmission['connection'] = 'keep',
): Transmission {
  return { pieces: all, connection };
}

/** The same in one piece. */
export function whole(
  all: readonly Uint8Array[],
  connection: Transmission['connection'] = 'keep',
): Transmission {
  return pieces([Buffer.concat(all)], connection);
}

/** One chunk of a chunked body, which says `size` unless its own is right. */
export function chunk(bytes: Uint8Array, size = bytes.length): Uint8Array {
  return Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** The head of an answer whose body comes in chunks. */
export function chunkedHead(reply: Reply): Uint8Array {
  return headOf(reply, (lines) => [...lacking('Content-Length')(lines), 'Transfer-Encoding: chunked']);
}

/** The end of a chunked body, with trailer lines. */
export function lastChunk(...trailers: readonly string[]): Uint8Array {
  return Buffer.from(`0\r\n${trailers.map((line) => `${line}\r\n`).join('')}\r\n`);
}
