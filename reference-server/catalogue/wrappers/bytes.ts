import { headBytes, headerText, statusLine } from '../../http/write-response.ts';
import type { Seams, Transmission } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import type { Applies, SentResponse } from './responses.ts';

/** Sends some responses as other bytes than the server writes. A response to HEAD has no body and stays as it is. */
export function onBytes(
  applies: Applies,
  send: (response: SentResponse, request: Request) => Transmission,
): Seams {
  return {
    wrapBytes: {
      transmit(plain, request) {
        const response: SentResponse = { kind: 'response', ...plain };
        return applies(response, request) && request.method !== 'HEAD' ? send(response, request) : undefined;
      },
    },
  };
}

/** Sends some responses with another head than the server writes, and with the same body. */
export const withHead = (
  applies: Applies,
  head: (response: SentResponse) => Uint8Array,
  connection: Transmission['connection'] = 'keep',
): Seams => onBytes(applies, (response) => inPieces([head(response), response.body], connection));

/** The head of a response, with its header lines changed. */
export function headOf(
  response: SentResponse,
  change: (lines: readonly string[]) => readonly string[] = (lines) => lines,
): Uint8Array {
  return headBytes([statusLine(response.status), ...change(headerText(response))]);
}

/** Removes the lines of one header. */
export function withoutLine(name: string): (lines: readonly string[]) => readonly string[] {
  return (lines) => lines.filter((line) => !line.startsWith(`${name}:`));
}

/** Bytes that arrive piece by piece, after which the connection stays open by default. */
export function inPieces(
  all: readonly Uint8Array[],
  connection: Transmission['connection'] = 'keep',
): Transmission {
  return { pieces: all, connection };
}

/** The same bytes in one piece. */
export function inOnePiece(
  all: readonly Uint8Array[],
  connection: Transmission['connection'] = 'keep',
): Transmission {
  return inPieces([Buffer.concat(all)], connection);
}

/** One chunk of a chunked body; its size line states `size`, by default the right one. */
export function chunk(bytes: Uint8Array, size = bytes.length): Uint8Array {
  return Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** The head of a response with a chunked body. */
export function chunkedHead(response: SentResponse): Uint8Array {
  return headOf(response, (lines) => [...withoutLine('Content-Length')(lines), 'Transfer-Encoding: chunked']);
}

/** The end of a chunked body, with trailer lines. */
export function lastChunk(...trailers: readonly string[]): Uint8Array {
  return Buffer.from(`0\r\n${trailers.map((line) => `${line}\r\n`).join('')}\r\n`);
}
