import autocannon from 'autocannon';
import { tell } from './child.ts';

/** What one round of load measured. */
export interface Loaded {
  readonly perSecond: number;
}

/** One for each core but the server's would be one; two keep the server busy while an answer travels. */
const CONNECTIONS = 2;
const SECONDS = 2;

const result = await autocannon({
  url: process.env['URL_TO_LOAD'] ?? '',
  headers: { Authorization: `Bearer ${process.env['KEY']}` },
  connections: CONNECTIONS,
  duration: SECONDS,
});
if (result.non2xx > 0 || result.errors > 0)
  throw new Error(`${result.non2xx + result.errors} requests failed.`);
const loaded: Loaded = { perSecond: result.requests.total / result.duration };
tell(loaded);
