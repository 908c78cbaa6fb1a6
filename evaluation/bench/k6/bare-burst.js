/**
 * The requests of a burst and nothing else: the cost of k6 itself, as the baseline for
 * the script of the load profiles. Run by k6, not by Node.
 */
import http from 'k6/http';

const { TARGET, PETSTORE_API_KEY, REQUESTS, CONCURRENCY } = __ENV;

export const options = {
  scenarios: { key: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'burst' } },
  discardResponseBodies: true,
  batch: 200,
  batchPerHost: 200,
};

export async function burst() {
  const send = () =>
    http.asyncRequest('GET', `${TARGET}/categories`, null, {
      headers: { Authorization: `Bearer ${PETSTORE_API_KEY}`, Accept: 'application/json' },
      redirects: 0,
      timeout: 10_000,
      responseType: 'none',
    });
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
