/**
 * The requests of a burst and nothing else: what k6 itself costs, to hold the
 * script of the load profiles against. Run by k6, not by Node.
 */
import http from 'k6/http';

const { TARGET, PETSTORE_API_KEY, REQUESTS, AT_ONCE } = __ENV;

export const options = {
  scenarios: { key: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'burst' } },
  discardResponseBodies: true,
  batch: 200,
  batchPerHost: 200,
};

export async function burst(): Promise<void> {
  const send = () =>
    http.asyncRequest('GET', `${TARGET}/categories`, null, {
      headers: { Authorization: `Bearer ${PETSTORE_API_KEY}`, Accept: 'application/json' },
      redirects: 0,
      timeout: 10_000,
      responseType: 'none',
    });
  // The first one alone, as the look of a lane.
  await send();
  let left = Number(REQUESTS) - 1;
  const sendOn = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: Number(AT_ONCE) }, sendOn));
}
