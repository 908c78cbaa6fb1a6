import type { ClientLibrary } from './library.ts';

export const pythonLibraries: readonly ClientLibrary[] = [
  {
    id: 'requests',
    name: 'requests',
    userAgent: 'python-requests/',
    version: '2.34.2',
    fix: 'Mount an `HTTPAdapter` whose `max_retries` is a subclass of urllib3’s `Retry`: its `sleep` waits for Retry-After and a growing delay, where urllib3 waits for one of the two. Set `allowed_methods=None` for POST, and wait at a gate of the key before each call and after each sleep.',
  },
  {
    id: 'urllib3',
    name: 'urllib3',
    userAgent: 'python-urllib3/',
    version: '2.8.0',
    fix: 'Pass a subclass of `Retry` whose `sleep` waits for Retry-After and a growing delay, where urllib3 waits for one of the two. Set `allowed_methods=None` for POST, and wait at a gate of the key before each call and after each sleep.',
  },
  {
    id: 'httpx',
    name: 'httpx with httpx-retries',
    userAgent: 'python-httpx/',
    version: '0.28.1 with httpx-retries 0.6.0',
    fix: 'Give `RetryTransport` a subclass of `Retry` whose `sleep` waits for Retry-After and a growing delay; as shipped nothing is added to Retry-After. Name POST in `allowed_methods`, and wait at a gate of the key in the `HTTPTransport` below it.',
  },
  {
    id: 'tenacity',
    name: 'tenacity',
    userAgent: null,
    version: '9.2.1',
    fix: 'A bare @retry repeats at once and for ever. Pass `stop_after_attempt`, and a `wait` function that reads Retry-After from the exception (`state.outcome`) and adds a growing delay; let the function that it repeats wait at a gate of the key first.',
  },
  {
    id: 'backoff',
    name: 'backoff',
    userAgent: null,
    version: '2.2.1',
    fix: 'Pass `on_predicate` a generator of your own that receives the response and yields Retry-After and a growing delay, with `jitter=None` and `max_tries`; let the function that it repeats wait at a gate of the key first.',
  },
  {
    id: 'aiohttp',
    name: 'aiohttp with aiohttp-retry',
    userAgent: 'Python/',
    version: '3.14.5 with aiohttp-retry 2.9.1',
    fix: 'Derive from `RetryOptionsBase` and return Retry-After and a growing delay from `get_timeout`, because aiohttp-retry does not read Retry-After. Name 429 in `statuses`, and wait at a gate of the key in one of the `middlewares` of the session.',
  },
];
