import got from 'got';
import { asShipped, attempts, authorization, gate, pauseMs, url, work } from './petstore.mjs';

const configured = got.extend({
  retry: {
    limit: attempts - 1,
    methods: ['GET', 'POST'],
    statusCodes: [429],
    // got itself waits either Retry-After or its own delay; computedValue is 0 where it would not retry.
    calculateDelay: ({ attemptCount, error, computedValue }) =>
      computedValue === 0 ? 0 : pauseMs(error.response?.headers['retry-after'], attemptCount - 1),
    maxRetryAfter: Number.POSITIVE_INFINITY,
  },
  hooks: {
    beforeRequest: [() => gate.pass()],
    afterResponse: [
      (response) => {
        if (response.statusCode === 429) gate.close(response.headers['retry-after']);
        return response;
      },
    ],
  },
});

const client = asShipped ? got : configured;
await work((method, json) => client(url, { method, headers: authorization, json }));
