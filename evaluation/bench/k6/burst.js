/**
 * What the scripts of the benchmark share, whatever they do with a response: the same
 * requests as a load run, in the same number and concurrency. Run by k6, not by Node.
 */
import http from 'k6/http';

const { TARGET, PETSTORE_API_KEY, REQUESTS, CONCURRENCY } = __ENV;

export const options = {
  scenarios: { key: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'burst' } },
  discardResponseBodies: true,
  batch: 200,
  batchPerHost: 200,
  systemTags: ['status', 'error_code'],
};

/** One list with the key. @param responseType whether k6 reads its body. */
export const list = (responseType = 'none') =>
  http.asyncRequest('GET', `${TARGET}/categories`, null, {
    headers: { Authorization: `Bearer ${PETSTORE_API_KEY}`, Accept: 'application/json' },
    redirects: 0,
    timeout: 10_000,
    responseType,
  });

/** Sends every request of the burst: the first one alone, as the preflight request of a scenario. */
export async function sendAll(send) {
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
