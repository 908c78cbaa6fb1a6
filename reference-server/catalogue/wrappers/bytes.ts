import { headBytes, headerText, statusLine } from '../../http/write-response.ts';
import type { Seams, Transmission } from '../../seams.ts';
import type { Applies, SentResponse } from './responses.ts';

/** What goes out in place of a response: each piece in a segment of its own. */
type Pieces = (response: SentResponse) => readonly Uint8Array[];

/** Sends some responses as other bytes than the server writes, piece by piece. A response to HEAD has no body and stays as it is. */
export const inPieces = (
  applies: Applies,
  connection: Transmission['connection'],
  pieces: Pieces,
): Seams => ({
  wrapBytes(plain, request) {
    const response: SentResponse = { kind: 'response', ...plain };
    const isOther = applies(response, request) && request.method !== 'HEAD';
    return isOther ? { pieces: pieces(response), connection } : undefined;
  },
});

/** The same bytes in one piece. */
export const inOnePiece = (applies: Applies, connection: Transmission['connection'], pieces: Pieces): Seams =>
  inPieces(applies, connection, (response) => [Buffer.concat(pieces(response))]);

/** Sends some responses with a head of other lines, and with the same body. */
export const withHead = (
  applies: Applies,
  connection: Transmission['connection'],
  lines: (response: SentResponse) => readonly string[],
): Seams => inPieces(applies, connection, (response) => [headBytes(lines(response)), response.body]);

export const linesOf = (response: SentResponse): readonly string[] => [
  statusLine(response.status),
  ...headerText(response),
];

/** The same without the line that states the length of the body. */
export const unsizedLines = (response: SentResponse): readonly string[] =>
  linesOf(response).filter((line) => !line.startsWith('Content-Length:'));

export const headOf = (response: SentResponse): Uint8Array => headBytes(linesOf(response));

/** One chunk of a chunked body; its size line states `size`, by default the right one. */
export function chunk(bytes: Uint8Array, size = bytes.length): Uint8Array {
  return Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

export function chunkedHead(response: SentResponse): Uint8Array {
  return headBytes([...unsizedLines(response), 'Transfer-Encoding: chunked']);
}

/** The end of a chunked body, with trailer lines. */
export function lastChunk(...trailers: readonly string[]): Uint8Array {
  return Buffer.from(`0\r\n${trailers.map((line) => `${line}\r\n`).join('')}\r\n`);
}
