import type { ClientLibrary } from './library.ts';

export const nodeLibraries: readonly ClientLibrary[] = [
  {
    id: 'fetch',
    name: 'fetch of Node',
    userAgent: 'node',
    version: '20.20',
    fix: 'fetch itself does not retry. In the loop or library on top of it, wait for Retry-After and a growing delay after 429, and let every call of `fetch` wait at a gate of the key first.',
  },
  {
    id: 'undici',
    name: 'undici RetryAgent',
    userAgent: 'undici',
    version: '7.30.2',
    fix: 'Give `RetryAgent` a `retry` function that waits for Retry-After and a growing delay: its own one waits for Retry-After alone, for 30 s at most. Name POST in `methods`, and `compose` a gate of the key into the agent below it.',
  },
  {
    id: 'got',
    name: 'got',
    userAgent: 'got (',
    version: '14.6.6',
    fix: 'Return Retry-After and a growing delay from `calculateDelay`, because got waits for one of the two. Name POST in `methods`, and let `beforeRequest` wait at a gate of the key, which `afterResponse` closes after 429.',
  },
  {
    id: 'ky',
    name: 'ky',
    userAgent: null,
    version: '1.14.3',
    fix: 'Empty `afterStatusCodes`, because ky waits for Retry-After alone and counts that wait as the delay, and wait for Retry-After and a growing delay in `beforeRetry`. Name post in `methods`, and give it a `fetch` that waits at a gate of the key, with `timeout: false`.',
  },
  {
    id: 'axios-retry',
    name: 'axios with axios-retry',
    userAgent: 'axios/',
    version: '4.5.0',
    fix: 'Return Retry-After and a growing delay from `retryDelay`; as shipped it waits for Retry-After alone. Let `retryCondition` accept 429 for every method, and wait at a gate of the key in a request interceptor (`interceptors.request.use`).',
  },
  {
    id: 'retry-axios',
    name: 'retry-axios',
    userAgent: null,
    version: '4.0.3',
    fix: 'Set `checkRetryAfter: false`, because it replaces the delay and gives up on Retry-After 0, and wait for Retry-After and a growing delay in `onRetryAttempt`. Name POST in `httpMethodsToRetry`, and wait at a gate of the key in a request interceptor (`interceptors.request.use`).',
  },
  {
    id: 'p-retry',
    name: 'p-retry',
    userAgent: null,
    version: '7.1.1',
    fix: 'p-retry does not see responses. Throw an error that carries Retry-After, wait for it and a growing delay in `onFailedAttempt` with `minTimeout: 0`, and let the function that it repeats wait at a gate of the key first.',
  },
  {
    id: 'fetch-retry',
    name: 'fetch-retry',
    userAgent: null,
    version: '6.0.0',
    fix: 'Return Retry-After and a growing delay from `retryDelay`, name 429 in `retryOn`, and wrap a fetch that waits at a gate of the key (`gatedFetch`).',
  },
  {
    id: 'ofetch',
    name: 'ofetch',
    userAgent: null,
    version: '1.5.1',
    fix: 'Return Retry-After and a growing delay from `retryDelay`, set `retry`, without which POST is not repeated, and give `createFetch` a fetch that waits at a gate of the key (`gatedFetch`).',
  },
];
