export interface ClientLibrary {
  /** Kebab case, permanent. */
  readonly id: string;
  readonly name: string;
  /** The beginning of its own User-Agent, up to its version; absent for a library that repeats the requests of another one. */
  readonly userAgent?: string;
  /** The version that `fix` is proven for, by a configured program that conforms. */
  readonly version: string;
  /** The fix, in one to three sentences. What stands in backticks occurs in the configured program. */
  readonly fix: string;
}

/** By their ids. */
const LIBRARIES: Readonly<Record<string, Omit<ClientLibrary, 'id'>>> = {
  // Node.
  fetch: {
    name: 'fetch of Node',
    userAgent: 'node',
    version: '20.20',
    fix: 'fetch itself does not retry. In the loop or library on top of it, wait for Retry-After and a growing delay after 429, and let every call of `fetch` wait at a gate of the key first.',
  },
  undici: {
    name: 'undici RetryAgent',
    userAgent: 'undici',
    version: '7.30.2',
    fix: 'Give `RetryAgent` a `retry` function that waits for Retry-After and a growing delay: its own one waits for Retry-After alone, for 30 s at most. Name POST in `methods`, and `compose` a gate of the key into the agent below it.',
  },
  got: {
    name: 'got',
    userAgent: 'got (',
    version: '14.6.6',
    fix: 'Return Retry-After and a growing delay from `calculateDelay`, because got waits for one of the two. Name POST in `methods`, and let `beforeRequest` wait at a gate of the key, which `afterResponse` closes after 429.',
  },
  ky: {
    name: 'ky',
    version: '1.14.3',
    fix: 'Empty `afterStatusCodes`, because ky waits for Retry-After alone and counts that wait as the delay, and wait for Retry-After and a growing delay in `beforeRetry`. Name post in `methods`, and give it a `fetch` that waits at a gate of the key, with `timeout: false`.',
  },
  'axios-retry': {
    name: 'axios with axios-retry',
    userAgent: 'axios/',
    version: '4.5.0',
    fix: 'Return Retry-After and a growing delay from `retryDelay`; as shipped it waits for Retry-After alone. Let `retryCondition` accept 429 for every method, and wait at a gate of the key in a request interceptor (`interceptors.request.use`).',
  },
  'retry-axios': {
    name: 'retry-axios',
    version: '4.0.3',
    fix: 'Set `checkRetryAfter: false`, because it replaces the delay and gives up on Retry-After 0, and wait for Retry-After and a growing delay in `onRetryAttempt`. Name POST in `httpMethodsToRetry`, and wait at a gate of the key in a request interceptor (`interceptors.request.use`).',
  },
  'p-retry': {
    name: 'p-retry',
    version: '7.1.1',
    fix: 'p-retry does not see responses. Throw an error that carries Retry-After, wait for it and a growing delay in `onFailedAttempt` with `minTimeout: 0`, and let the function that it repeats wait at a gate of the key first.',
  },
  'fetch-retry': {
    name: 'fetch-retry',
    version: '6.0.0',
    fix: 'Return Retry-After and a growing delay from `retryDelay`, name 429 in `retryOn`, and wrap a fetch that waits at a gate of the key (`gatedFetch`).',
  },
  ofetch: {
    name: 'ofetch',
    version: '1.5.1',
    fix: 'Return Retry-After and a growing delay from `retryDelay`, set `retry`, without which POST is not repeated, and give `createFetch` a fetch that waits at a gate of the key (`gatedFetch`).',
  },
  // Python.
  requests: {
    name: 'requests',
    userAgent: 'python-requests/',
    version: '2.34.2',
    fix: 'Mount an `HTTPAdapter` whose `max_retries` is a subclass of urllib3’s `Retry`: its `sleep` waits for Retry-After and a growing delay, where urllib3 waits for one of the two. Set `allowed_methods=None` for POST, and wait at a gate of the key before each call and after each sleep.',
  },
  urllib3: {
    name: 'urllib3',
    userAgent: 'python-urllib3/',
    version: '2.8.0',
    fix: 'Pass a subclass of `Retry` whose `sleep` waits for Retry-After and a growing delay, where urllib3 waits for one of the two. Set `allowed_methods=None` for POST, and wait at a gate of the key before each call and after each sleep.',
  },
  httpx: {
    name: 'httpx with httpx-retries',
    userAgent: 'python-httpx/',
    version: '0.28.1 with httpx-retries 0.6.0',
    fix: 'Give `RetryTransport` a subclass of `Retry` whose `sleep` waits for Retry-After and a growing delay; as shipped nothing is added to Retry-After. Name POST in `allowed_methods`, and wait at a gate of the key in the `HTTPTransport` below it.',
  },
  tenacity: {
    name: 'tenacity',
    version: '9.2.1',
    fix: 'A bare @retry repeats at once and for ever. Pass `stop_after_attempt`, and a `wait` function that reads Retry-After from the exception (`state.outcome`) and adds a growing delay; let the function that it repeats wait at a gate of the key first.',
  },
  backoff: {
    name: 'backoff',
    version: '2.2.1',
    fix: 'Pass `on_predicate` a generator of your own that receives the response and yields Retry-After and a growing delay, with `jitter=None` and `max_tries`; let the function that it repeats wait at a gate of the key first.',
  },
  aiohttp: {
    name: 'aiohttp with aiohttp-retry',
    userAgent: 'Python/',
    version: '3.14.5 with aiohttp-retry 2.9.1',
    fix: 'Derive from `RetryOptionsBase` and return Retry-After and a growing delay from `get_timeout`, because aiohttp-retry does not read Retry-After. Name 429 in `statuses`, and wait at a gate of the key in one of the `middlewares` of the session.',
  },
  // Go.
  'net-http': {
    name: 'net/http',
    userAgent: 'Go-http-client/',
    version: '1.26',
    fix: 'net/http itself does not retry. In the loop or library on top of it, wait for Retry-After and a growing delay after 429, and give the client a `Transport` that waits at a gate of the key.',
  },
  'go-retryablehttp': {
    name: 'go-retryablehttp',
    version: '0.7.8',
    fix: 'Set `client.Backoff` to a function that returns Retry-After and a growing delay, because the one as shipped returns one of the two, and give `HTTPClient` a `Transport` that waits at a gate of the key.',
  },
  'cenkalti-backoff': {
    name: 'cenkalti/backoff',
    version: '5.0.3',
    fix: 'Write a BackOff whose `NextBackOff` returns the Retry-After of the last response and a growing delay, because RetryAfter of the library knows seconds alone and replaces the delay. Pass `WithMaxTries`, and give the client a `Transport` that waits at a gate of the key.',
  },
  resty: {
    name: 'resty',
    userAgent: 'go-resty/',
    version: '2.17.2',
    fix: 'Return Retry-After and a growing delay from `SetRetryAfter`, raise `SetRetryMaxWaitTime`, which cuts every wait to 2 s as shipped, name 429 in `AddRetryCondition`, and give it with `SetTransport` a transport that waits at a gate of the key.',
  },
  // Java.
  okhttp: {
    name: 'OkHttp',
    userAgent: 'okhttp/',
    version: '4.12.0',
    fix: 'OkHttp does not retry 429. Pass `addInterceptor` an interceptor with a loop that waits at a gate of the key, and after 429 for Retry-After and a growing delay; leave `callTimeout` at 0, because it would count the waits.',
  },
  resilience4j: {
    name: 'resilience4j-retry',
    version: '2.3.0',
    fix: 'Set `intervalBiFunction` to one that reads Retry-After from the result and adds a growing delay; as shipped the interval is constant. Name 429 in `retryOnResult`, raise `maxAttempts`, and let the function that it decorates wait at a gate of the key first.',
  },
  'apache-httpclient': {
    name: 'Apache HttpClient',
    userAgent: 'Apache-HttpClient/',
    version: '5.5',
    fix: 'Pass `setRetryStrategy` an `HttpRequestRetryStrategy` whose `getRetryInterval` returns Retry-After and a growing delay; the one as shipped retries once. Wait at a gate of the key in a request interceptor (`addRequestInterceptorFirst`).',
  },
  // Command-line tools.
  curl: {
    name: 'curl --retry',
    userAgent: 'curl/',
    version: '7.88.1',
    fix: 'No option of curl adds a growing delay to Retry-After. Instead of --retry, write the loop of the sh template (certify-client --template sh), which runs `curl` once for each attempt and waits before the next call, too.',
  },
  wget: {
    name: 'wget',
    userAgent: 'Wget/',
    version: '1.21.3',
    fix: 'wget does not read Retry-After, and no option changes that. Use the loop of the sh template (certify-client --template sh), which runs `curl` once for each attempt.',
  },
};

export const clientLibraries: readonly ClientLibrary[] = Object.entries(LIBRARIES).map(([id, library]) => ({
  id,
  ...library,
}));

/** The library that sends this User-Agent unless it is given another one. It decides advice, never a verdict. */
export const libraryOf = (userAgent: string): ClientLibrary | undefined =>
  clientLibraries.find((one) => one.userAgent !== undefined && matches(userAgent, one.userAgent));

/** A beginning that is a whole name is followed by nothing, a space or the slash of a version. */
const matches = (userAgent: string, beginning: string): boolean =>
  userAgent.startsWith(beginning) &&
  (/\W$/.test(beginning) || /^($|[ /])/.test(userAgent.slice(beginning.length)));
