import { createFetch } from 'ofetch';
import { asShipped, attempts, authorization, gatedFetch, pauseMs, url, work } from './petstore.mjs';

const shipped = createFetch({ fetch });
const configured = createFetch({
  fetch: gatedFetch,
  defaults: {
    retry: attempts - 1,
    retryStatusCodes: [429],
    // context.options.retry is the number of retries that are left.
    retryDelay: ({ options, response }) =>
      pauseMs(response.headers.get('Retry-After'), attempts - 1 - options.retry),
  },
});

const client = asShipped ? shipped : configured;
await work((method, body) => client(url, { method, headers: authorization, body }));
