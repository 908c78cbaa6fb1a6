import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { KEY, scripted } from '../../../evaluation/testing/clients/scripted.ts';
import type { Reply } from '../model/scenario.ts';
import { keyRedactor } from './request-body.ts';
import { playerOf } from './several-tasks.ts';

const served: Reply = { kind: 'served' };
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
const limited: Reply = { ...held, heldSeconds: 0.3 };

test('a start has an address of its own, and the key is enough at the root of the host', async (t) => {
  const script = { kind: 'sequence', replies: [limited, served] } as const;
  const service = await scripted(t, script, { prefix: PREFIX });
  assert.equal((await service.send('GET', { path: `${PREFIX}/v1/categories` })).status, 429);
  assert.equal((await service.send('GET')).status, 200);
  assert.equal((await service.send('GET', { path: '/s-ffffffffffffffff/v1/categories' })).status, 404);
  assert.equal((await fetch(`${service.origin}/v1/categories`)).status, 401);
  const [first] = service.lines.filter((line) => line.kind === 'arrival');
  assert.equal(first?.target, `${PREFIX}/v1/categories`);
});

test('a request of another program is not in flight', async (t) => {
  const service = await scripted(t, { kind: 'sequence', replies: [limited] }, { prefix: PREFIX });
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
