import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { scripted } from '../../../evaluation/testing/clients/scripted.ts';
import type { Reply } from '../model/scenario.ts';

const PREFIX = '/s-0123456789abcdef';
const served: Reply = { kind: 'served' };
const limited: Reply = {
  kind: 'rate-limited',
  retryAfter: { form: 'seconds', seconds: 1 },
  heldSeconds: 0.3,
};

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
  assert.deepEqual(
    service.lines.flatMap((line) => (line.kind === 'arrival' ? [line.inFlight] : [])),
    [1, 1, 2],
  );
});
