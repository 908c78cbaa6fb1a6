/**
 * The requests of a burst and the least that a record of them takes: two readings of the
 * clock, the five headers and one line for each request, and one metric. What a script of
 * k6 can reach that loses nothing. Run by k6, not by Node.
 */
import exec from 'k6/execution';
import http from 'k6/http';
import { Trend } from 'k6/metrics';

const { TARGET, PETSTORE_API_KEY, REQUESTS, CONCURRENCY } = __ENV;

const HEADERS = ['X-Ratelimit-Limit', 'X-Ratelimit-Remaining', 'X-Ratelimit-Reset', 'Retry-After', 'Date'];

const trend = new Trend('recorded', true);

export const options = {
  scenarios: { key: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'burst' } },
  discardResponseBodies: true,
  batch: 200,
  batchPerHost: 200,
};

export async function burst() {
  const { instance } = exec;
  const params = {
    headers: { Authorization: `Bearer ${PETSTORE_API_KEY}`, Accept: 'application/json' },
    redirects: 0,
    timeout: 10_000,
    responseType: 'none',
  };
  let n = 0;
  const send = async () => {
    n += 1;
    const record = [n, instance.currentTestRunDuration];
    const { status, headers } = await http.asyncRequest('GET', `${TARGET}/categories`, null, params);
    const received = instance.currentTestRunDuration;
    record.push(received, status);
    for (const name of HEADERS) record.push(headers[name]);
    console.log(JSON.stringify(record));
    trend.add(received - record[1]);
  };
  // The first one alone, as the preflight request of a scenario.
  await send();
  let unsent = Number(REQUESTS) - 1;
  const sendInTurn = async () => {
    while (unsent > 0) {
      unsent -= 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: Number(CONCURRENCY) }, sendInTurn));
}
