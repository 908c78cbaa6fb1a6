import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scripted } from '../../../evaluation/testing/clients/scripted.ts';
import { HEAD, KEY, scripted, untilTrue } from '../../../evaluation/testing/clients/scripted.ts';
import { onBusyMachine } from '../../../evaluation/testing/tools/busy-machine.ts';
import type { ClientJournalLine } from '../model/journal.ts';
import type { Reply, RetryAfter, Script } from '../model/scenario.ts';
import { keyRedactor } from './request-body.ts';
import { playerOf } from './several-tasks.ts';

const served: Reply = { kind: 'served' };
const limited = (retryAfter: RetryAfter): Reply => ({ kind: 'rate-limited', retryAfter });
const sequence = (first: Reply, ...more: readonly Reply[]): Script => ({
  kind: 'sequence',
  replies: [first, ...more],
});

const limitedFor = (seconds: number): Reply => limited({ form: 'seconds', seconds });
const quotaOf = ({ status, headers }: Response) => ({
  status,
  retryAfter: headers.get('Retry-After'),
  remaining: headers.get('X-RateLimit-Remaining'),
  reset: headers.get('X-RateLimit-Reset'),
});
const respondedAt = ({ lines }: Scripted): number =>
  lines.find((one) => one.kind === 'response')?.at.wall ?? 0;
const arrivals = (lines: readonly ClientJournalLine[]) => lines.filter((line) => line.kind === 'arrival');

/** What every response carries ("Every API response carries" the three headers), and the body of an error. */
async function assertConforms(response: Response): Promise<void> {
  for (const name of ['Limit', 'Remaining', 'Reset']) {
    assert.match(response.headers.get(`X-RateLimit-${name}`) ?? '', /^\d+$/, name);
  }
  assert.equal(response.headers.get('Content-Type'), 'application/json');
  assert.ok(response.headers.get('Date') !== null);
  const body = (await response.json()) as Readonly<Record<string, unknown>>;
  if (response.status < 400) return;
  assert.equal(typeof body['code'], 'string');
  assert.equal(typeof body['message'], 'string');
  assert.equal(body['status'], response.status);
}

test('lists and creations are served as the specification says, and stored', async (t) => {
  const service = await scripted(t, sequence(served));
  const dog = { id: 1, name: 'dog', description: 'barks' };
  const created = await service.send('POST', { body: '{"name":"dog","description":"barks"}' });
  assert.deepEqual([created.status, await created.json()], [201, dog]);
  const list = await service.send('GET');
  assert.deepEqual([list.status, await list.json()], [200, [dog]]);
  await assertConforms(await service.send('GET'));
});

test('a creation that is no JSON, or no category, gets 400', async (t) => {
  const service = await scripted(t, sequence(served));
  const bodies = ['{"name":7}', '{}', '["dog"]', '{"name":"dog","description":1}', '{"name":'];
  const long = JSON.stringify({ name: 'd'.repeat(70_000) });
  for (const [body, type] of [
    ...[...bodies, long].map((one) => [one, 'application/json'] as const),
    ['name=dog', 'application/x-www-form-urlencoded'],
    ['{"name":"dog"}', 'text/plain'],
  ] as const) {
    const response = await service.send('POST', { body, headers: { 'Content-Type': type } });
    assert.equal(response.status, 400, `${type} ${body.slice(0, 30)}`);
    await assertConforms(response);
  }
});

for (const [name, headers, path] of [
  ['no Authorization', { Authorization: '' }, '/v1/categories'],
  ['another key', { Authorization: 'Bearer pk-other' }, '/v1/categories'],
  ['two spaces', { Authorization: `Bearer  ${KEY}` }, '/v1/categories'],
  ['Basic', { Authorization: `Basic ${Buffer.from(`user:${KEY}`).toString('base64')}` }, '/v1/categories'],
  ['the key in the query', { Authorization: '' }, `/v1/categories?api_key=${KEY}`],
  ['the key in another header', { Authorization: '', 'X-API-Key': KEY }, '/v1/categories'],
] as const) {
  test(`${name}: 401, no reply of the script is used, and the key does not stand in the journal`, async (t) => {
    const service = await scripted(t, sequence(limitedFor(2), served));
    const response = await service.send('GET', { headers, path });
    assert.equal(response.status, 401);
    await assertConforms(response);
    assert.equal((await service.send('GET')).status, 429);
    const journal = JSON.stringify(service.lines);
    for (const form of [KEY.slice(0, -1), Buffer.from(`user:${KEY}`).toString('base64').slice(9, -4)])
      assert.ok(!journal.includes(form), form);
  });
}

test('the scheme is compared without case, and a right key is enough', async (t) => {
  const service = await scripted(t, sequence(served));
  const response = await service.send('GET', {
    headers: { Authorization: `bearer ${KEY}` },
    path: `/v1/categories?token=${KEY}`,
  });
  assert.equal(response.status, 200);
  assert.equal(arrivals(service.lines)[0]?.target, '/v1/categories?token=[key]');
});

for (const seconds of [0, 1, 3]) {
  test(`429 with Retry-After ${seconds}: Reset agrees`, async (t) => {
    const service = await scripted(t, sequence(limitedFor(seconds), served));
    const response = await service.send('GET');
    const { reset, ...shown } = quotaOf(response);
    assert.deepEqual(shown, { status: 429, retryAfter: String(seconds), remaining: '0' });
    assert.equal(Number(reset), Math.ceil(respondedAt(service) / 1000 + seconds));
    await assertConforms(response);
    for (const turn of [1, 2])
      assert.equal((await service.send('GET')).status, 200, `the last reply goes on for ever: ${turn}`);
  });
}

test('an HTTP-date lies on a whole second, three to four seconds ahead', async (t) => {
  const service = await scripted(t, sequence(limited({ form: 'date', seconds: 3 })));
  const response = await service.send('GET');
  const at = respondedAt(service);
  const date = Date.parse(response.headers.get('Retry-After') ?? '');
  assert.ok(date - at >= 3000 && date - at < 4000, `${date - at} ms ahead`);
  assert.equal(Number(response.headers.get('X-RateLimit-Reset')), date / 1000);
});

test('the one exception: no Retry-After, and no Reset that a client could wait for instead', async (t) => {
  const service = await scripted(t, sequence(limited({ form: 'absent' })));
  const shown = quotaOf(await service.send('GET'));
  assert.deepEqual(shown, { status: 429, retryAfter: null, remaining: '0', reset: null });
});

test('a cycle begins again; another operation takes no reply', async (t) => {
  const cycle: Script = { kind: 'cycle', replies: [limitedFor(1), served] };
  const service = await scripted(t, cycle, { operation: 'list' });
  const statuses: number[] = [];
  for (const method of ['GET', 'POST', 'GET', 'GET', 'GET'] as const) {
    const { status } = await service.send(method, method === 'POST' ? { body: '{"name":"dog"}' } : {});
    statuses.push(status);
  }
  assert.deepEqual(statuses, [429, 201, 200, 429, 200]);
  assert.equal((await service.send('GET', { path: '/v1/health' })).status, 404);
  assert.equal((await service.send('GET')).status, 429);
});

const unlessBusy = onBusyMachine();

const several = {
  kind: 'one-of-several',
  tasks: 3,
  gatherSeconds: 1.5,
  retryAfterSeconds: 2,
  holdSeconds: 0.2,
} as const satisfies Script;

test('of several tasks one gets 429, the others 200 a while later, and everything before the time is up 429', async (t) => {
  await unlessBusy(t, async () => {
    const service = await scripted(t, several);
    const began = performance.now();
    const first = [1, 2, 3].map(async () => {
      const { status } = await service.send('GET');
      return { status, after: performance.now() - began };
    });
    const settled = await Promise.all(first);
    const together = Math.max(...arrivals(service.lines).map(({ inFlight }) => inFlight));
    if (together < several.tasks) return `only ${together} requests were under way at the same time`;
    assert.deepEqual(settled.map(({ status }) => status).toSorted(), [200, 200, 429]);
    const limited = settled.find(({ status }) => status === 429)?.after ?? Infinity;
    for (const { status, after } of settled)
      assert.ok(status === 429 || (after >= 195 && after > limited), `${after}`);
    const early = await service.send('GET');
    const moments = service.lines.map(({ at }) => at.mono);
    const sinceLimited = (arrivals(service.lines)[3]?.at.mono ?? 0) - Math.min(...moments);
    if (early.status === 200 && sinceLimited >= 1000 * several.retryAfterSeconds)
      return `the request before the end of the wait came ${Math.round(sinceLimited)} ms later`;
    assert.equal(early.status, 429);
    assert.equal(early.headers.get('Retry-After'), '2');
    await delay(1000 * several.retryAfterSeconds - 100);
    assert.equal((await service.send('GET')).status, 200);
    return undefined;
  });
});

test('where fewer come, the first of them gets 429 when the time to gather is over', async (t) => {
  const service = await scripted(t, { ...several, gatherSeconds: 0.4 });
  const began = performance.now();
  const { status } = await service.send('GET');
  assert.equal(status, 429);
  assert.ok(performance.now() - began >= 390);
});

for (const [name, bounds] of [
  ['in all', { inAll: 5, inASecond: 100 }],
  ['in a second', { inAll: 100, inASecond: 5 }],
] as const) {
  test(`a client that exceeds the bound ${name} gets no further response`, async (t) => {
    const service = await scripted(t, sequence(served), { bounds });
    for (let at = 1; at <= 5; at += 1) assert.equal((await service.send('GET')).status, 200);
    for (const _ of [1, 2]) await assert.rejects(service.send('GET'));
    assert.equal(service.excesses(), 1);
    assert.equal(arrivals(service.lines).length, 5);
  });
}

test('a response comes in one piece, on a connection that stays open, after its line', async (t) => {
  const service = await scripted(t, sequence(served));
  const socket = connect(service.port, '127.0.0.1');
  t.after(() => socket.destroy());
  const pieces: string[] = [];
  const linesBefore: number[] = [];
  socket.on('data', (piece) => {
    pieces.push(piece.toString());
    linesBefore.push(service.lines.length);
  });
  for (let at = 1; at <= 3; at += 1) {
    socket.write(HEAD);
    await untilTrue(() => pieces.length >= at);
    await delay(20);
    assert.equal(pieces.length, at);
    assert.match(pieces[at - 1] ?? '', /\r\n\r\n\[\]$/);
  }
  assert.deepEqual(linesBefore, [2, 4, 6]);
  const connections = arrivals(service.lines).map(({ connection: { id, fresh } }) => `${id} ${fresh}`);
  assert.deepEqual(connections, ['1 true', '1 false', '1 false']);
});

for (const [name, bytes] of [
  ['no HTTP', '\u0016\u0003\u0001 hello\r\n\r\n'],
  ['a header without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`],
] as const) {
  test(`${name} gets no response and no line`, async (t) => {
    const service = await scripted(t, sequence(served));
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(bytes);
    await new Promise((resolve) => socket.on('close', resolve));
    assert.equal(service.lines.length, 0);
    assert.equal((await service.send('GET')).status, 200);
  });
}

test('a request that breaks off in its body has arrived and gets no response', async (t) => {
  const service = await scripted(t, sequence(served));
  const socket = connect(service.port, '127.0.0.1');
  socket.write(
    `POST /v1/categories HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 100\r\n\r\n{"na`,
  );
  await untilTrue(() => service.lines.length > 0);
  socket.destroy();
  await delay(100);
  assert.equal(service.lines.map(({ kind }) => kind).join(), 'arrival');
  await service.send('GET');
  assert.equal(arrivals(service.lines)[1]?.inFlight, 1);
});

test('the names of headers are in lower case where the scenario says so, and recorded like that', async (t) => {
  const script = sequence(limitedFor(2));
  const service = await scripted(t, script, { headerNames: 'in lower case' });
  const response = await service.send('GET');
  assert.equal(response.headers.get('Retry-After'), '2');
  const names = service.lines.flatMap((line) =>
    line.kind === 'response' ? line.headers.map(([name]) => name) : [],
  );
  assert.ok(names.includes('retry-after') && names.includes('x-ratelimit-reset') && names.includes('date'));
});

const second = { form: 'seconds', seconds: 1 } as const;
const held: Reply = { kind: 'rate-limited', retryAfter: second, heldSeconds: 0.1 };
const open = (): boolean => true;

test('a 429 is held as long as the script says, and the next request is served meanwhile', async () => {
  const player = playerOf({ kind: 'sequence', replies: [held, served] });
  const order: string[] = [];
  const began = performance.now();
  await Promise.all(
    [1, 2].map(async () => {
      order.push((await player.reply(open)).kind);
    }),
  );
  assert.deepEqual(order, ['served', 'rate-limited']);
  assert.ok(performance.now() - began >= 99);
});

test('a held 429 ends at once when the service stops', async () => {
  const player = playerOf({ kind: 'sequence', replies: [{ ...held, heldSeconds: 3600 }] });
  const reply = player.reply(open);
  player.stop();
  assert.equal((await reply).kind, 'rate-limited');
});

/** Moments of a second at which a request may come. */
for (const into of [0, 250, 500, 750, 990])
  test(`a held date is sent where its wait is far from a whole number of seconds, ${into} ms into one`, async () => {
    await delay((1000 + into - (Date.now() % 1000)) % 1000);
    const player = playerOf({
      kind: 'sequence',
      replies: [{ kind: 'rate-limited', retryAfter: { form: 'date', seconds: 3 }, heldSeconds: 0.37 }],
    });
    const from = performance.now();
    await player.reply(open);
    const held = performance.now() - from;
    const left = 1000 - (Date.now() % 1000);
    // A busy machine sends it late.
    const late = held - 370;
    assert.ok(late >= -5 && (left + late >= 590 || held > 1000), `held ${held} ms, ${left} ms left`);
  });

const PREFIX = '/s-0123456789abcdef';
const heldBriefly: Reply = { ...held, heldSeconds: 0.3 };

test('a start has an address of its own, and the key is enough at the root of the host', async (t) => {
  const script = { kind: 'sequence', replies: [heldBriefly, served] } as const;
  const service = await scripted(t, script, { prefix: PREFIX });
  assert.equal((await service.send('GET', { path: `${PREFIX}/v1/categories` })).status, 429);
  assert.equal((await service.send('GET')).status, 200);
  assert.equal((await service.send('GET', { path: '/s-ffffffffffffffff/v1/categories' })).status, 404);
  assert.equal((await fetch(`${service.origin}/v1/categories`)).status, 401);
  const [first] = service.lines.filter((line) => line.kind === 'arrival');
  assert.equal(first?.target, `${PREFIX}/v1/categories`);
});

test('a request of another program is not in flight', async (t) => {
  const service = await scripted(t, { kind: 'sequence', replies: [heldBriefly] }, { prefix: PREFIX });
  const [, other, again] = await Promise.all([
    service.send('GET'),
    delay(50).then(() => fetch(`${service.origin}/v1/categories`)),
    delay(100).then(() => service.send('GET', { path: `${PREFIX}/v1/categories` })),
  ]);
  assert.deepEqual([other.status, again.status], [401, 429]);
  const inFlight = service.lines.flatMap((line) => (line.kind === 'arrival' ? [line.inFlight] : []));
  assert.deepEqual(inFlight, [1, 1, 2]);
});

const redact = keyRedactor(KEY);
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

for (const [name, text, shown] of [
  ['byte for byte', `Bearer ${KEY}`, 'Bearer [key]'],
  ['percent-encoded', `Bearer ${percent(KEY)}`, 'Bearer [key, escaped]'],
  ['one character percent-encoded', `/v1?k=${KEY.replace('_', '%5F')}`, '/v1?k=[key, escaped]'],
  ['in capital letters', KEY.toUpperCase(), '[key in another case]'],
  ['plain and escaped', `${KEY} ${percent(KEY)}`, '[key] [key, escaped]'],
  ['in base64', Buffer.from(`me:${KEY}`).toString('base64'), 'bWU6[key in base64]M='],
] as const) {
  test(`the key ${name} has a name that no other form has`, () => assert.equal(redact(text), shown));
}
