/**
 * The requests of a burst and the record of each that a load run keeps, byte for byte, and
 * nothing else: what a script of k6 can reach that loses nothing. Run by k6, not by Node.
 */
import exec from 'k6/execution';
import { Trend } from 'k6/metrics';
import { list, sendAll } from './burst.js';

export { options } from './burst.js';

const trend = new Trend('recorded', true);

export async function burst() {
  const { instance } = exec;
  const start = Date.now() - instance.currentTestRunDuration;
  let n = 0;
  await sendAll(async () => {
    n += 1;
    const [step, kind] = n === 1 ? [0, 'preflight'] : [2, 'burst'];
    const record = { key: 'key', n, step, kind, operation: 'list', planned: null };
    record.sent = start + instance.currentTestRunDuration;
    const { status, headers, body, timings } = await list('text');
    record.received = start + instance.currentTestRunDuration;
    if (timings.connecting > 0) record.opened = true;
    record.outcome = {
      kind: 'answer',
      status,
      limit: headers['X-Ratelimit-Limit'],
      remaining: headers['X-Ratelimit-Remaining'],
      reset: headers['X-Ratelimit-Reset'],
      retryAfter: headers['Retry-After'],
      date: headers['Date'],
      age: headers['Age'],
      xCache: headers['X-Cache'],
      body: body === '[]' ? { kind: 'list' } : undefined,
    };
    console.log(JSON.stringify(record));
    trend.add(record.received - record.sent);
  });
}
