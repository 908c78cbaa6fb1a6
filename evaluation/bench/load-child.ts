import autocannon from 'autocannon';
import { cpuSecondsSince, tell } from './child.ts';
import type { Served } from './serve-child.ts';

/** What one round of load measured. */
export interface Loaded {
  readonly requests: number;
  /** Seconds of a processor that the generator itself used. */
  readonly seconds: number;
}

/** Two keep the server busy while a response travels. */
const CONNECTIONS = 2;
const REQUESTS = 5000;

process.on('message', async ({ url, key }: Served) => {
  const before = process.cpuUsage();
  const result = await autocannon({
    url,
    headers: { Authorization: `Bearer ${key}` },
    connections: CONNECTIONS,
    amount: REQUESTS,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx + result.errors} requests failed.`);
  const loaded: Loaded = { requests: REQUESTS, seconds: cpuSecondsSince(before) };
  tell(loaded);
});
tell('ready');
