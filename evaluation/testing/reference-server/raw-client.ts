import { createConnection } from 'node:net';
import type { RunningServer } from '../../../reference-server/http/server.ts';

/** Sends these bytes on a connection of its own and reads until the server closes it, or until `enough` is true. */
export function sendRaw(
  { baseUrl }: RunningServer,
  send: string | readonly string[],
  enough: (text: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const socket = createConnection({ host: hostname.replace(/[[\]]/g, ''), port: Number(port) });
    let text = '';
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    socket.on('data', (chunk) => {
      text += chunk;
      if (enough(text)) socket.destroy();
    });
    for (const part of [send].flat()) socket.write(part);
  });
}

/** The bytes of a request with a key of the plan Business. */
export function rawRequest(
  { keys }: RunningServer,
  method: string,
  target: string,
  { headers = [] as readonly string[], body = '' } = {},
): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: test',
    `Authorization: Bearer ${keys['business']?.[0]}`,
  ];
  return `${[...lines, ...headers].join('\r\n')}\r\n\r\n${body}`;
}
