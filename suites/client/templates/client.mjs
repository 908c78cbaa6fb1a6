// A client of the Pet Store Service for Node 20 or newer, without dependencies. It waits Retry-After (seconds or
// HTTP-date), adds exponential backoff with jitter to it, gives up after six attempts, and retries 429 alone. All tasks
// of a key wait at one gate. Replace list() and create() by calls of your own client, and keep the rest.
import { setTimeout as sleep } from 'node:timers/promises';

const { PETSTORE_TARGET, PETSTORE_API_KEY, ...task } = process.env;
let closedUntil = 0; // The gate of the key: until then no task sends (milliseconds of performance.now).

function retryAfterMs(value) {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return ms > 0 ? ms : 0; // What is unreadable is not a number here.
}

async function send(request) {
  const headers = { Authorization: `Bearer ${PETSTORE_API_KEY}`, ...request.headers };
  for (let attempt = 0; attempt < 6; attempt += 1) {
    for (let ms = 1; ms > 0; ms = closedUntil - performance.now()) await sleep(Math.min(ms, 60_000));
    const response = await fetch(`${PETSTORE_TARGET}/categories`, { ...request, headers });
    await response.arrayBuffer();
    if (response.status !== 429) return response.ok;
    const backoff = 1000 * 2 ** attempt * (0.5 + Math.random() / 2);
    const opens = performance.now() + retryAfterMs(response.headers.get('Retry-After')) + backoff;
    closedUntil = Math.max(closedUntil, opens); // After the last attempt, too: the next call has to wait.
  }
  return false;
}

const json = { 'Content-Type': 'application/json' };
const list = () => send({ method: 'GET' });
const create = () => send({ method: 'POST', headers: json, body: JSON.stringify({ name: 'rabbit' }) });
const repeat = (call, times) => Array.from({ length: Number(times) }, () => call);
const calls = [...repeat(list, task.PETSTORE_CALLS ?? 1), ...repeat(create, task.PETSTORE_CREATES ?? 0)];
async function work() {
  for (let call = calls.shift(); call; call = calls.shift()) if (!(await call())) process.exitCode = 1;
}
await Promise.all(repeat(work, task.PETSTORE_CONCURRENCY ?? 1).map((start) => start()));
