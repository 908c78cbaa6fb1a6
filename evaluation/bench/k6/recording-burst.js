/**
 * The requests of a burst and the least that a record of them takes: two readings of the
 * clock, the five headers and one line for each request, and one metric. What a script of
 * k6 can reach that loses nothing. Run by k6, not by Node.
 */
import exec from 'k6/execution';
import { Trend } from 'k6/metrics';
import { list, sendAll } from './burst.js';

export { options } from './burst.js';

const HEADERS = ['X-Ratelimit-Limit', 'X-Ratelimit-Remaining', 'X-Ratelimit-Reset', 'Retry-After', 'Date'];

const trend = new Trend('recorded', true);

export async function burst() {
  const { instance } = exec;
  let n = 0;
  await sendAll(async () => {
    n += 1;
    const record = [n, instance.currentTestRunDuration];
    const { status, headers } = await list();
    const received = instance.currentTestRunDuration;
    record.push(received, status, ...HEADERS.map((name) => headers[name]));
    console.log(JSON.stringify(record));
    trend.add(received - record[1]);
  });
}
