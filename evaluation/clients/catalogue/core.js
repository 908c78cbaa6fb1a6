// @ts-check
/** @import { Behaviour, Method } from './client.ts' */
import { Agent, request } from 'node:http';

/**
 * The seams of a client that conforms: Retry-After in both forms, exponential backoff with jitter on top, one gate for the key.
 * @type {Behaviour}
 */
export const exemplary = {
  readRetryAfter: (headers) => secondsOrDate(headers['retry-after']),
  delay: ({ attempt }) => 400 * 2 ** attempt * (0.5 + Math.random()),
  wait: ({ askedMs }, delayMs) => askedMs + delayMs,
  retries: (status, attempt) => status === 429 && attempt < 5,
  gate: () => 'key',
  patienceMs: Number.POSITIVE_INFINITY,
  pace: () => 0,
  spacingMs: 0,
  postpones: false,
  heartbeatMs: null,
  tasks: (given) => given,
  lists: (given) => given,
  atOnce: Number.POSITIVE_INFINITY,
  successOpens: false,
  base: (target) => target,
  write: ({ method, key }) => written(method, { Authorization: `Bearer ${key}` }),
  absoluteForm: false,
  keepAlive: true,
};

/**
 * A request as it should be, with these headers beside those of its body.
 * @param {Method} method
 * @param {Readonly<Record<string, string | readonly string[]>>} headers
 */
export function written(method, headers) {
  if (method === 'GET') return { path: '/categories', headers, body: null };
  const body = JSON.stringify({ name: 'rabbit' });
  return { path: '/categories', headers: { ...headers, 'Content-Type': 'application/json' }, body };
}

/**
 * Milliseconds that a Retry-After asks for from now (RFC 9110 §10.2.3); 0 for what is neither seconds nor a date.
 * @param {string | undefined} value
 */
export function secondsOrDate(value = '') {
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const ms = Date.parse(value) - Date.now();
  return ms > 0 ? ms : 0;
}

/** @typedef {{ method: Method, call: number, task: number, attempt: number, previousMs: number }} Call */

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A client with one key: what it decides stands in its behaviour, what it remembers stands here. */
class Client {
  /** @type {Map<string, number>} the moment at which each gate opens, in milliseconds of performance.now */
  #opens = new Map();
  /** The moment before which no request is sent, whatever gate it has passed. */
  #next = 0;
  #waiting = 0;
  #underWay = 0;

  /**
   * @param {Behaviour} behaviour
   * @param {{ target: string, key: string, tasks: number }} settings
   */
  constructor(behaviour, settings) {
    this.behaviour = behaviour;
    this.settings = settings;
    this.agent = new Agent({ keepAlive: behaviour.keepAlive });
  }

  /**
   * Sends one request of a call and decides what follows.
   * @param {Call} call
   * @returns {Promise<'succeeded' | 'failed' | 'again'>}
   */
  async send(call) {
    if (this.closedMs(call) > this.behaviour.patienceMs) return 'failed';
    await this.#pass(call);
    const sent = performance.now();
    const { status, headers, names } = await this.transmit(call.method, call.attempt);
    this.#underWay -= 1;
    if (status < 300) {
      if (this.behaviour.successOpens) this.#opens.delete(this.#gateOf(call));
      return 'succeeded';
    }
    const retries = this.behaviour.retries(status, call.attempt, call.method);
    const limited = {
      ...call,
      askedMs: this.behaviour.readRetryAfter(headers, names),
      tookMs: performance.now() - sent,
      tasks: this.settings.tasks,
    };
    call.previousMs = this.behaviour.delay(limited);
    if (status === 429 || retries) this.#close(call, this.behaviour.wait(limited, call.previousMs));
    call.attempt += 1;
    return retries ? 'again' : 'failed';
  }

  /**
   * Milliseconds until a call may be sent; at most 0 where its gate is open.
   * @param {Call} call
   */
  closedMs(call) {
    return Math.max(this.#next, this.#opens.get(this.#gateOf(call)) ?? 0) - performance.now();
  }

  /** @param {Pick<Call, 'method' | 'call' | 'task'>} call */
  #gateOf({ method, call, task }) {
    return this.behaviour.gate(method, call, task);
  }

  /**
   * @param {Call} call
   * @param {number} ms
   */
  #close(call, ms) {
    if (ms > this.closedMs(call)) this.#opens.set(this.#gateOf(call), performance.now() + ms);
  }

  /**
   * Waits until a call may be sent, and counts it as under way.
   * @param {Call} call
   */
  async #pass(call) {
    const before = this.#waiting;
    this.#waiting += 1;
    for (let waited = false; waited || this.closedMs(call) > 0 || this.#underWay >= this.behaviour.atOnce; ) {
      const ms = this.closedMs(call);
      const pause = waited ? this.behaviour.pace(before) : 5;
      await sleep(ms > 0 ? Math.min(ms, 60_000) : pause);
      waited = ms > 0;
    }
    this.#waiting -= 1;
    this.#underWay += 1;
    this.#next = performance.now() + this.behaviour.spacingMs;
  }

  /**
   * Writes a request and reads its response; a connection that breaks is status 599.
   * @param {Method} method
   * @param {number} attempt
   * @returns {Promise<{ status: number, headers: Record<string, string | undefined>, names: readonly string[] }>}
   */
  transmit(method, attempt) {
    const { path, headers, body } = this.behaviour.write({ method, key: this.settings.key, attempt });
    const length = body === null ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const address = `${this.behaviour.base(this.settings.target)}${path}`;
    const target = this.behaviour.absoluteForm ? { path: address } : {};
    return new Promise((resolve) => {
      const options = { method, agent: this.agent, headers: { ...headers, ...length }, ...target };
      request(address, /** @type {import('node:http').RequestOptions} */ (options))
        .on('response', (response) => {
          const head = /** @type {Record<string, string | undefined>} */ (response.headers);
          response
            .resume()
            .on('end', () =>
              resolve({ status: response.statusCode ?? 599, headers: head, names: response.rawHeaders }),
            );
        })
        .on('error', () => resolve({ status: 599, headers: {}, names: [] }))
        .end(body ?? undefined);
    });
  }
}

/**
 * Does the work that the environment asks for.
 * @param {Partial<Behaviour>} different what this client does differently from the exemplary one
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {Promise<boolean>} whether all calls succeeded
 */
export async function work(different, environment) {
  const behaviour = { ...exemplary, ...different };
  const { PETSTORE_TARGET: target = '', PETSTORE_API_KEY: key = '' } = environment;
  const tasks = behaviour.tasks(Number(environment['PETSTORE_CONCURRENCY'] ?? 1));
  const client = new Client(behaviour, { target, key, tasks });
  const calls = queue(
    behaviour.lists(Number(environment['PETSTORE_CALLS'] ?? 1)),
    Number(environment['PETSTORE_CREATES'] ?? 0),
  );
  const heartbeat =
    behaviour.heartbeatMs === null
      ? undefined
      : setInterval(() => client.transmit('GET', 0), behaviour.heartbeatMs);
  const succeeded = await Promise.all(Array.from({ length: tasks }, (_, at) => task(client, calls, at)));
  clearInterval(heartbeat);
  client.agent.destroy();
  return succeeded.every(Boolean);
}

/**
 * The lists, and the creations after them.
 * @param {number} lists
 * @param {number} creations
 * @returns {Call[]}
 */
function queue(lists, creations) {
  return Array.from({ length: lists + creations }, (_, call) => ({
    method: call < lists ? 'GET' : 'POST',
    call,
    task: 0,
    attempt: 0,
    previousMs: 0,
  }));
}

/**
 * One task: it takes calls from the queue until none is left.
 * @param {Client} client
 * @param {Call[]} calls
 * @param {number} number
 */
async function task(client, calls, number) {
  let succeeded = true;
  for (let call = next(client, calls, number); call !== undefined; ) {
    const result = await client.send(call);
    if (result === 'failed') succeeded = false;
    if (result === 'again' && client.behaviour.postpones) calls.push(call);
    if (result !== 'again' || client.behaviour.postpones) call = next(client, calls, number);
  }
  return succeeded;
}

/**
 * Takes the first call that this task may send now, or else the first one.
 * @param {Client} client
 * @param {Call[]} calls
 * @param {number} task
 */
function next(client, calls, task) {
  const open = calls.findIndex((call) => client.closedMs({ ...call, task }) <= 0);
  const [call] = calls.splice(Math.max(0, open), 1);
  return call === undefined ? undefined : Object.assign(call, { task });
}
