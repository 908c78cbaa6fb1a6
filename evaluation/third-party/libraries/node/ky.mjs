import ky from 'ky';
import { asShipped, attempts, authorization, gatedFetch, pauseMs, url, work } from './petstore.mjs';

const configured = ky.create({
  fetch: gatedFetch,
  timeout: false, // It would count the wait at the gate.
  retry: {
    limit: attempts - 1,
    methods: ['get', 'post'],
    statusCodes: [429],
    // Without a status here ky does not read Retry-After itself: it would replace the delay.
    afterStatusCodes: [],
    delay: () => 0,
  },
  hooks: {
    beforeRetry: [
      async ({ error, retryCount }) => {
        const ms = pauseMs(error.response?.headers.get('Retry-After'), retryCount - 1);
        await new Promise((resolve) => setTimeout(resolve, ms));
      },
    ],
  },
});

const client = asShipped ? ky : configured;
await work((method, json) => client(url, { method, headers: authorization, json }));
