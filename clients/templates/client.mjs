// A client of the Pet Store Service for Node 20 or newer, without dependencies. It waits Retry-After (seconds or
// HTTP-date), adds exponential backoff with jitter to it, gives up after six attempts, and retries 429 alone. All tasks
// of a key wait at one gate. Replace list() and create() by calls of your own client, and keep the rest.
const environment = process.env;
const count = (name, otherwise) => Number(environment[name] ?? otherwise);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const ATTEMPTS = 6;
let closedUntil = 0; // The gate of the key: until then no task sends (milliseconds of performance.now).

function retryAfterMs(value) {
  if (/^\d+$/.test(value ?? '')) return Number(value) * 1000;
  const ms = Date.parse(value ?? '') - Date.now();
  return ms > 0 ? ms : 0;
}

async function send(method, body) {
  const headers = { Authorization: `Bearer ${environment['PETSTORE_API_KEY']}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  for (let attempt = 0; ; attempt += 1) {
    for (let ms = 1; ms > 0; ms = closedUntil - performance.now()) await sleep(Math.min(ms, 60_000));
    const request = { method, headers, body: body && JSON.stringify(body) };
    const response = await fetch(`${environment['PETSTORE_TARGET']}/categories`, request);
    await response.arrayBuffer();
    if (response.status !== 429) return response.ok;
    const backoff = 1000 * 2 ** attempt * (0.5 + Math.random() / 2);
    const opens = performance.now() + retryAfterMs(response.headers.get('Retry-After')) + backoff;
    closedUntil = Math.max(closedUntil, opens); // After the last attempt, too: the next call has to wait.
    if (attempt === ATTEMPTS - 1) return false;
  }
}

const list = () => send('GET');
const create = () => send('POST', { name: 'rabbit' });
const work = [list, create].flatMap((call, at) =>
  Array(at === 0 ? count('PETSTORE_CALLS', 1) : count('PETSTORE_CREATES', 0)).fill(call),
);
async function task() {
  for (let call = work.shift(); call !== undefined; call = work.shift())
    if (!(await call())) process.exitCode = 1;
}
await Promise.all(Array.from({ length: count('PETSTORE_CONCURRENCY', 1) }, task));
