import { createServer } from 'node:http';
import { listenOnLoopback } from '../third-party/apps/app.ts';
import { tell } from './child.ts';

/** Where it listens. */
export interface Listening {
  readonly baseUrl: string;
}

/** What arrived since the last time it was asked, and in how many seconds from the first to the last. */
export interface Arrived {
  readonly requests: number;
  readonly seconds: number;
}

/** A server that answers every request at once, as an untouched limit does, and counts. */
const limit = process.env['LIMIT'] ?? '';
const body = '[]';
const headers = {
  'Content-Type': 'application/json',
  'Content-Length': body.length,
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': String(Number(limit) - 1),
  'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + 3600),
};

let requests = 0;
let first = 0;
let last = 0;
const { baseUrl } = await listenOnLoopback(
  createServer((_, response) => {
    last = performance.now();
    if (requests === 0) first = last;
    requests += 1;
    response.writeHead(200, headers).end(body);
  }),
);
process.on('message', () => {
  const arrived: Arrived = { requests, seconds: (last - first) / 1000 };
  requests = 0;
  tell(arrived);
});
const listening: Listening = { baseUrl };
tell(listening);
