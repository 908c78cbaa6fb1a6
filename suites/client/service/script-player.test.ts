import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../model/scenario.ts';
import { playerOf } from './script-player.ts';

const served: Reply = { kind: 'served' };
const held: Reply = {
  kind: 'rate-limited',
  retryAfter: { form: 'seconds', seconds: 1 },
  heldSeconds: 0.1,
};
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
