import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { plansOf } from '../../evaluation/over-http.ts';
import { commandIn } from '../../evaluation/testing/cli/command.ts';

const list = (baseUrl: string, key: string): Promise<Response> =>
  fetch(`${baseUrl}/categories`, { headers: { Authorization: `Bearer ${key}` } });

/** A server with these options, of which `plans.json` has these plans, what it printed of itself, and its end with 0 by a signal. */
async function serving(t: TestContext, options: string, plans: object = {}) {
  const here = commandIn(t);
  here.write('plans.json', plans);
  const running = here.start(`serve --json ${options}`);
  await running.until('\n');
  const { out } = running.printed();
  assert.equal(out.trimEnd().split('\n').length, 1);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    running.child.kill(signal);
    const { code, err } = await running.ended();
    assert.deepEqual([code, err], [0, '']);
  };
  return { ...JSON.parse(out), end };
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`serve --json prints one line, serves, and ends with 0 on ${signal}`, async (t) => {
    const { baseUrl, keys, end } = await serving(t, '--plans plans.json', plansOf(2));
    assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    assert.equal(keys.free.length, 2);
    for (const group of ['pro', 'business', 'spent']) assert.ok(keys[group].length >= 1, group);
    const limits = await Promise.all(
      [keys.free[0], keys.pro[0], keys.business[0]].map(async (key) =>
        (await list(baseUrl, key)).headers.get('x-ratelimit-limit'),
      ),
    );
    assert.deepEqual(limits, ['60', '300', '1000']);
    assert.equal((await list(baseUrl, keys.spent[0])).status, 429);
    await end(signal);
  });
}

test('serve prints its address and each key on its own line', async (t) => {
  const running = commandIn(t).start('serve --fault list-206');
  await running.until('Ctrl-C');
  const { out } = running.printed();
  const baseUrl = /^base address +(http:\S+\/v1)$/m.exec(out)?.[1] ?? '';
  const key = /^free key +(\S+)$/m.exec(out)?.[1] ?? '';
  assert.equal((await list(baseUrl, key)).status, 206, 'it has the fault');
  running.child.kill('SIGINT');
  assert.equal((await running.ended()).code, 0);
});

test('serve --ban bans a key that keeps sending', async (t) => {
  const plans = { minuteSeconds: 5, daySeconds: 100, plans: { free: { perMinute: 2, perDay: 100 } } };
  const { baseUrl, keys, end } = await serving(t, '--plans plans.json --ban 2:40', plans);
  const waits: number[] = [];
  for (let sent = 0; sent < 5; sent += 1) {
    waits.push(Number((await list(baseUrl, keys.free[0])).headers.get('retry-after')));
  }
  assert.deepEqual(
    waits.map((seconds) => seconds > 5),
    [false, false, false, false, true],
    `two within the limit, a 429, one more, and the next one is banned: ${waits}`,
  );
  await end('SIGTERM');
});

test('serve --variant runs that variant, with its algorithm', async (t) => {
  const { baseUrl, keys, end } = await serving(t, '--variant bucket-resets-at-next-token');
  const { headers } = await list(baseUrl, keys.free[0]);
  const secondsLeft = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000;
  assert.ok(secondsLeft > 0 && secondsLeft < 3, `the next token comes in ${secondsLeft} s`);
  await end('SIGINT');
});
