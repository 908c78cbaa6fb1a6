// What the programs of this folder share: the work that certify-client asks for, and a gate for the key, which no
// library has. A program runs as its library is shipped, or configured to conform: node FILE shipped|configured.

const { PETSTORE_TARGET, PETSTORE_API_KEY, PETSTORE_CALLS, PETSTORE_CREATES, PETSTORE_CONCURRENCY } =
  process.env;

/** Whether the library is to be used as it is shipped. */
export const asShipped = process.argv[2] === 'shipped';

export const base = PETSTORE_TARGET;
export const url = `${PETSTORE_TARGET}/categories`;
export const authorization = { Authorization: `Bearer ${PETSTORE_API_KEY}` };
export const attempts = 6;

/** Milliseconds that a Retry-After asks for, in seconds or as an HTTP-date. */
export function retryAfterMs(value) {
  if (/^\d+$/.test(value ?? '')) return Number(value) * 1000;
  return Math.max(0, Date.parse(value ?? '') - Date.now() || 0);
}

/** Retry-After, and exponential backoff with jitter on top; `retry` counts from 0. In milliseconds. */
export const pauseMs = (value, retry) => retryAfterMs(value) + 400 * 2 ** retry * (0.5 + Math.random());

let closedUntil = 0;

/** The gate of the key: a 429 closes it for all tasks, and every request passes it. */
export const gate = {
  close(value) {
    closedUntil = Math.max(closedUntil, performance.now() + retryAfterMs(value));
  },
  async pass() {
    while (performance.now() < closedUntil)
      await new Promise((resolve) => setTimeout(resolve, Math.min(closedUntil - performance.now(), 60_000)));
  },
};

/** fetch behind the gate. */
export async function gatedFetch(input, init) {
  await gate.pass();
  const response = await fetch(input, init);
  if (response.status === 429) gate.close(response.headers.get('Retry-After'));
  return response;
}

/** Does the work: `call(method, body)` resolves or rejects, as its library does; a response whose `ok` is false failed. */
export async function work(call) {
  const list = Array(Number(PETSTORE_CALLS ?? 1)).fill(() => call('GET'));
  const create = Array(Number(PETSTORE_CREATES ?? 0)).fill(() => call('POST', { name: 'rabbit' }));
  const calls = [...list, ...create];
  const task = async () => {
    for (let next = calls.shift(); next !== undefined; next = calls.shift())
      try {
        const response = await next();
        if (response?.ok === false) throw new Error(`status ${response.status}`);
      } catch (error) {
        process.stderr.write(`${error.message}\n`);
        process.exitCode = 1;
        return; // What a program does after an error is no part of its library.
      }
  };
  await Promise.all(Array.from({ length: Number(PETSTORE_CONCURRENCY ?? 1) }, task));
}

/** The init of fetch for a method and a body. */
export const initOf = (method, body) => {
  if (body === undefined) return { method, headers: authorization };
  const headers = { ...authorization, 'Content-Type': 'application/json' };
  return { method, headers, body: JSON.stringify(body) };
};
