import type { ClientLibrary } from './library.ts';

export const javaLibraries: readonly ClientLibrary[] = [
  {
    id: 'okhttp',
    name: 'OkHttp',
    userAgent: 'okhttp/',
    version: '4.12.0',
    fix: 'OkHttp does not retry 429. Pass `addInterceptor` an interceptor with a loop that waits at a gate of the key, and after 429 for Retry-After and a growing delay; leave `callTimeout` at 0, because it would count the waits.',
  },
  {
    id: 'resilience4j',
    name: 'resilience4j-retry',
    userAgent: null,
    version: '2.3.0',
    fix: 'Set `intervalBiFunction` to one that reads Retry-After from the result and adds a growing delay; as shipped the interval is constant. Name 429 in `retryOnResult`, raise `maxAttempts`, and let the function that it decorates wait at a gate of the key first.',
  },
  {
    id: 'apache-httpclient',
    name: 'Apache HttpClient',
    userAgent: 'Apache-HttpClient/',
    version: '5.5',
    fix: 'Pass `setRetryStrategy` an `HttpRequestRetryStrategy` whose `getRetryInterval` returns Retry-After and a growing delay; the one as shipped retries once. Wait at a gate of the key in a request interceptor (`addRequestInterceptorFirst`).',
  },
];
