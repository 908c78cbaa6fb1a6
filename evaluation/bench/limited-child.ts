import { createServer } from 'node:http';
import { listenOnLoopback } from '../third-party/apps/app.ts';
import { tell } from './child.ts';

/** Where it listens. */
export interface Listening {
  readonly baseUrl: string;
}

/** How many requests arrived since the last message. */
export interface Arrived {
  readonly requests: number;
}

/** A server that answers every request at once, as the limit of a fresh key does, and counts. A message states its limit from then on. */
let limit = 0;
let requests = 0;
const body = '[]';
const headers = {
  'Content-Type': 'application/json',
  'Content-Length': body.length,
  'X-RateLimit-Limit': '',
  'X-RateLimit-Remaining': '',
  'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + 3600),
};

const { baseUrl } = await listenOnLoopback(
  createServer((_, response) => {
    requests += 1;
    headers['X-RateLimit-Remaining'] = String(limit - requests);
    response.writeHead(200, headers).end(body);
  }),
);
process.on('message', (next: number) => {
  const arrived: Arrived = { requests };
  limit = next;
  headers['X-RateLimit-Limit'] = String(limit);
  requests = 0;
  tell(arrived);
});
const listening: Listening = { baseUrl };
tell(listening);
