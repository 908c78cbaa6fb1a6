import axios from 'axios';
import axiosRetry from 'axios-retry';
import { asShipped, attempts, authorization, gate, pauseMs, url, work } from './petstore.mjs';

const client = axios.create({ headers: authorization });

function configure() {
  client.interceptors.request.use(async (config) => {
    await gate.pass();
    return config;
  });
  axiosRetry(client, {
    retries: attempts - 1,
    retryCondition: ({ response }) => response?.status === 429, // As shipped it does not retry POST.
    retryDelay: (count, { response }) => {
      gate.close(response.headers['retry-after']);
      return pauseMs(response.headers['retry-after'], count - 1);
    },
    onMaxRetryTimesExceeded: ({ response }) => gate.close(response.headers['retry-after']),
  });
}

if (asShipped) axiosRetry(client);
else configure();
await work((method, data) => client({ url, method, data }));
