import { createServer } from 'node:http';
import { startServer } from '../../reference-server/http/server.ts';
import { listening } from '../testing/tools/listening.ts';
import { startFastify } from '../third-party/apps/fastify.ts';
import { cpuSecondsSince, tell } from './child.ts';

/** Which server this process is. */
export type ServerKind = 'reference' | 'bare' | 'headers' | 'fastify' | 'counting';

/** Where it listens, and a key that it knows. */
export interface Served {
  readonly baseUrl: string;
  /** Of the list of categories. */
  readonly url: string;
  readonly key: string;
}

/** So many requests that the limit is counted and never reached. */
const LIMIT = 1e9;

/** Categories in every list. */
const CATEGORIES = 10;

const starters: Readonly<
  Record<ServerKind, () => Promise<{ readonly baseUrl: string; readonly key: string }>>
> = {
  async reference() {
    const free = { perMinute: LIMIT, perDay: LIMIT };
    const server = await startServer({ plans: { minuteSeconds: 60, daySeconds: 86_400, plans: { free } } });
    return { baseUrl: server.baseUrl, key: server.keys.free[0] ?? '' };
  },
  async fastify() {
    const key = 'bench-key-000001';
    // The reference server counts two windows of each key, and so must what it is held against.
    const day = { requests: LIMIT, seconds: 86_400 };
    const settings = { keys: [key], perMinute: LIMIT, windowSeconds: 60, day };
    const { baseUrl } = await startFastify(settings, { headers: 'shipped' });
    return { baseUrl, key };
  },
  bare: () => bareServer(() => []),
  /** Answers at once, as the limit of a fresh key does, and counts. */
  counting: () =>
    bareServer(() => {
      requests += 1;
      return rateHeaders(limit, limit - requests, Math.ceil(Date.now() / 1000) + 3600);
    }),
  /** The least that a response of the service needs: its headers, of which one changes. */
  headers() {
    let used = 0;
    return bareServer(() => {
      used += 1;
      return [...rateHeaders(LIMIT, LIMIT - used, 1_800_000_000), 'Cache-Control', 'no-store'];
    });
  },
};

const rateHeaders = (all: number, left: number, reset: number): readonly string[] => [
  ...['X-RateLimit-Limit', `${all}`],
  ...['X-RateLimit-Remaining', `${left}`],
  ...['X-RateLimit-Reset', `${reset}`],
];

async function bareServer(more: () => readonly string[]): Promise<{ baseUrl: string; key: string }> {
  const list = Array.from({ length: CATEGORIES }, (_, i) => ({ id: i + 1, name: nameOf(i) }));
  const body = JSON.stringify(list);
  const own = ['Content-Type', 'application/json', 'Content-Length', `${Buffer.byteLength(body)}`];
  const { baseUrl } = await listening(
    createServer((_, response) => response.writeHead(200, [...own, ...more()]).end(body)),
  );
  return { baseUrl, key: 'none' };
}

const nameOf = (i: number): string => `category ${i}`;

async function fill(url: string, key: string): Promise<void> {
  for (let i = 0; i < CATEGORIES; i += 1) {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: nameOf(i) }) });
  }
}

/** Of the counting server: the requests since the last message, which states its limit from then on. */
let [limit, requests] = [0, 0];

const kind = process.env['KIND'] as ServerKind;
const { baseUrl, key } = await starters[kind]();
const served: Served = { baseUrl, url: `${baseUrl}/categories`, key };
if (key !== 'none') await fill(served.url, key);
const before = process.cpuUsage();
process.on('message', (next: number | 'how long?') => {
  if (next === 'how long?') return tell(cpuSecondsSince(before));
  tell(requests);
  [limit, requests] = [next, 0];
});
tell(served);
