import axios from 'axios';
import * as rax from 'retry-axios';
import { asShipped, attempts, authorization, gate, pauseMs, url, work } from './petstore.mjs';

const client = axios.create({ headers: authorization });
// Before retry-axios, so that the gate is closed before anything else happens.
if (!asShipped) client.interceptors.response.use(undefined, closeGate);
rax.attach(client);

function closeGate(error) {
  if (error.response?.status === 429) gate.close(error.response.headers['retry-after']);
  return Promise.reject(error);
}

function configure() {
  client.interceptors.request.use(async (config) => {
    await gate.pass();
    return config;
  });
  client.defaults.raxConfig = {
    retry: attempts - 1,
    httpMethodsToRetry: ['GET', 'POST'],
    statusCodesToRetry: [[429, 429]],
    checkRetryAfter: false, // It would replace the delay, and give up on Retry-After 0.
    backoffType: 'static',
    retryDelay: 1,
    onRetryAttempt: async ({ config, response }) => {
      const ms = pauseMs(response.headers['retry-after'], config.raxConfig.currentRetryAttempt - 1);
      await new Promise((resolve) => setTimeout(resolve, ms));
    },
  };
}

if (!asShipped) configure();
await work((method, data) => client({ url, method, data }));
