import { startServer } from '../../reference-server/http/server.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { overHttp } from '../over-http.ts';
import type { BenchRow } from './row.ts';
import { rounded } from './row.ts';

/** Any run that exhausts the limit of 60, exceeds it once and checks the recovery once needs so many. */
const FEWEST_REQUESTS = 62;

/** A run takes the window that it has to wait for, and this much more of it at most. */
const MOST_WINDOWS = 1.05;

/** Certifies the reference server with the real window of a minute. Takes that minute. */
export async function measureCertifying(): Promise<readonly BenchRow[]> {
  const plans = loadPlans();
  const { minuteSeconds } = limitsOf(plans, 'free');
  const server = await startServer({ plans });
  try {
    const [key = '', other = ''] = server.keys.free;
    const { record, seconds } = await overHttp({ baseUrl: server.baseUrl, plans, keys: { key, other } });
    if (record.outcome !== 'conforms') throw new Error(`The outcome of the run is "${record.outcome}".`);
    const { keyed } = record.requests;
    return [
      {
        name: 'certification run: keyed requests / fewest possible',
        ratio: keyed / FEWEST_REQUESTS,
        aim: { is: 'exactly', value: 1 },
        absolute: `${keyed}, ${FEWEST_REQUESTS}`,
      },
      {
        name: 'certification run: duration / window of the limit',
        ratio: seconds / minuteSeconds,
        aim: { is: 'at most', value: MOST_WINDOWS },
        absolute: `${rounded(seconds)} s, ${rounded(minuteSeconds)} s`,
      },
    ];
  } finally {
    await server.close();
  }
}
