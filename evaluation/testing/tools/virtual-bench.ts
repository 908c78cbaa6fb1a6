import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import type { RunningServer } from '../../../reference-server/http/server.ts';
import type { HeaderLine } from '../../../reference-server/service/message.ts';
import type { ServiceOptions } from '../../../reference-server/service/service.ts';
import { createService } from '../../../reference-server/service/service.ts';
import type { Plans } from '../../../spec/plans.ts';
import { loadPlans } from '../../../spec/plans.ts';

/** For tests only: when simulated time begins, in milliseconds since the Unix epoch. */
export const START = Date.UTC(2026, 10, 21, 1, 2, 3, 456);
/** Plans with quotas small enough to exhaust. */
export const tiny: Plans = {
  minuteSeconds: 60,
  daySeconds: 86_400,
  plans: { free: { perMinute: 3, perDay: 5 }, pro: { perMinute: 5, perDay: 50 }, enterprise: null },
};

/** A service in simulated time, and functions that send it requests, by default with the first Free key. */
export function bench(options: Partial<ServiceOptions> = {}) {
  const clock = { at: START, now: () => clock.at };
  const service = createService({ plans: loadPlans(), clock, ...options });
  const { free, exhausted } = service.keys;
  const ask = (
    method = 'GET',
    target = '/v1/categories',
    {
      authorization = [`Bearer ${free[0]}`],
      body = null as unknown,
      type = ['application/json'],
      address = '10.0.0.1',
    } = {},
  ) => {
    const headers: HeaderLine[] = [
      ...authorization.map((value): HeaderLine => ['authorization', value]),
      ...type.map((value): HeaderLine => ['Content-Type', value]),
    ];
    const bytes = body instanceof Uint8Array || body === null ? body : Buffer.from(String(body));
    const outcome = service.handle({
      method,
      target,
      headers,
      body: bytes,
      client: { address, connection: 1 },
    });
    assert.ok(outcome.kind === 'response');
    const text = Buffer.from(outcome.body).toString();
    const values = (name: string) =>
      outcome.headers.filter(([key]) => key === name).map(([, value]) => value);
    return {
      status: outcome.status,
      text,
      json: text === '' ? null : JSON.parse(text),
      values,
      headers: outcome.headers,
    };
  };
  const create = (body: unknown, type?: string[]) =>
    ask('POST', '/v1/categories', type === undefined ? { body } : { body, type });
  return { ask, create, clock, keys: service.keys, exhausted: [`Bearer ${exhausted[0]}`] };
}

/** One response, ready for assertions. */
export type Reply = ReturnType<ReturnType<typeof bench>['ask']>;

/** Limit, Remaining and Reset; asserts that each has exactly one line with a whole number. */
export function limitsOf(reply: Reply): number[] {
  return ['Limit', 'Remaining', 'Reset'].map((name) => {
    const [value, ...further] = reply.values(`X-RateLimit-${name}`);
    assert.deepEqual(further, []);
    assert.match(value ?? '', /^\d+$/);
    return Number(value);
  });
}

/** Asserts that a reply carries this Error body and the three rate-limit headers. */
export function assertError(reply: Reply, status: number, code: string): void {
  assert.equal(reply.status, status);
  assert.deepEqual(Object.keys(reply.json), ['code', 'message', 'status']);
  assert.deepEqual([reply.json.code, reply.json.status], [code, status]);
  assert.deepEqual(reply.values('Content-Type'), ['application/json']);
  limitsOf(reply);
}

/** Sends these bytes on a connection of its own and reads until the server closes it, or until `enough` is true. */
export function sendRaw(
  { baseUrl }: RunningServer,
  send: string | readonly string[],
  enough: (text: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const socket = createConnection({ host: hostname.replace(/[[\]]/g, ''), port: Number(port) });
    let text = '';
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    socket.on('data', (chunk) => {
      text += chunk;
      if (enough(text)) socket.destroy();
    });
    for (const part of [send].flat()) socket.write(part);
  });
}

/** The bytes of a request with a key of the plan Business. */
export function rawRequest(
  { keys }: RunningServer,
  method: string,
  target: string,
  { headers = [] as readonly string[], body = '' } = {},
): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: test',
    `Authorization: Bearer ${keys['business']?.[0]}`,
  ];
  return `${[...lines, ...headers].join('\r\n')}\r\n\r\n${body}`;
}
