import type { ClientLibrary } from './library.ts';

export const goLibraries: readonly ClientLibrary[] = [
  {
    id: 'net-http',
    name: 'net/http',
    userAgent: 'Go-http-client/',
    version: '1.26',
    fix: 'net/http itself does not retry. In the loop or library on top of it, wait for Retry-After and a growing delay after 429, and give the client a `Transport` that waits at a gate of the key.',
  },
  {
    id: 'go-retryablehttp',
    name: 'go-retryablehttp',
    userAgent: null,
    version: '0.7.8',
    fix: 'Set `client.Backoff` to a function that returns Retry-After and a growing delay, because the one as shipped returns one of the two, and give `HTTPClient` a `Transport` that waits at a gate of the key.',
  },
  {
    id: 'cenkalti-backoff',
    name: 'cenkalti/backoff',
    userAgent: null,
    version: '5.0.3',
    fix: 'Write a BackOff whose `NextBackOff` returns the Retry-After of the last response and a growing delay, because RetryAfter of the library knows seconds alone and replaces the delay. Pass `WithMaxTries`, and give the client a `Transport` that waits at a gate of the key.',
  },
  {
    id: 'resty',
    name: 'resty',
    userAgent: 'go-resty/',
    version: '2.17.2',
    fix: 'Return Retry-After and a growing delay from `SetRetryAfter`, raise `SetRetryMaxWaitTime`, which cuts every wait to 2 s as shipped, name 429 in `AddRetryCondition`, and give it with `SetTransport` a transport that waits at a gate of the key.',
  },
];
