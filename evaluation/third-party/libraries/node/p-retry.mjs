import pRetry from 'p-retry';
import { asShipped, attempts, gatedFetch, initOf, pauseMs, url, work } from './petstore.mjs';

/** A response of 429 as an error, because p-retry repeats what throws. */
class Limited extends Error {
  constructor(response) {
    super('status 429');
    this.after = response.headers.get('Retry-After');
  }
}

async function once(send, method, body) {
  const response = await send(url, initOf(method, body));
  await response.arrayBuffer();
  if (response.status === 429) throw new Limited(response);
  return response;
}

const configured = {
  retries: attempts - 1,
  minTimeout: 0,
  shouldRetry: ({ error }) => error instanceof Limited,
  onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
    if (!(error instanceof Limited) || retriesLeft === 0) return;
    await new Promise((resolve) => setTimeout(resolve, pauseMs(error.after, attemptNumber - 1)));
  },
};

await work((method, body) =>
  asShipped
    ? pRetry(() => once(fetch, method, body))
    : pRetry(() => once(gatedFetch, method, body), configured),
);
