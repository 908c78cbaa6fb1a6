import fetchRetry from 'fetch-retry';
import { asShipped, attempts, gatedFetch, initOf, pauseMs, url, work } from './petstore.mjs';

// As shipped it retries errors of the network alone, so retryOn has to name 429 in any case.
const shipped = fetchRetry(fetch, { retryOn: [429] });
const configured = fetchRetry(gatedFetch, {
  retryOn: [429],
  retries: attempts - 1,
  retryDelay: (retry, _error, response) => pauseMs(response?.headers.get('Retry-After'), retry),
});

const send = asShipped ? shipped : configured;
await work(async (method, body) => {
  const response = await send(url, initOf(method, body));
  await response.arrayBuffer();
  return response;
});
