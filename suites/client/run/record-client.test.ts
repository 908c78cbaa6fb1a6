import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brief, nodeClient, recorded, temporaryPath } from '../../../evaluation/testing/clients/recorded.ts';
import type { Scenario } from '../model/scenario.ts';
import { limitedFor, served } from '../scenarios/index.ts';

const calls = (scenario: string, of: readonly { readonly kind: string; readonly scenario?: string }[]) =>
  of.filter((line) => line.kind === 'start' && line.scenario === scenario).length;

test('a client gets its task in its environment, a key of its own in each start, and nothing else of ours', async (t) => {
  process.env['SECRET_OF_THIS_TEST'] = 'not-for-clients';
  t.after(() => {
    delete process.env['SECRET_OF_THIS_TEST'];
  });
  const client = nodeClient(`
    const { PETSTORE_CALLS, PETSTORE_CREATES, PETSTORE_CONCURRENCY, SECRET_OF_THIS_TEST } = process.env;
    console.log([target, PETSTORE_CALLS, PETSTORE_CREATES, PETSTORE_CONCURRENCY, SECRET_OF_THIS_TEST].join(' '));
    console.log(key, process.argv.join(' ').includes(key));
    await list();`);
  const scenario: Scenario = { ...brief, work: { calls: 3, creates: 2, concurrency: 4 }, repetitions: 2 };
  const { lines, exits, end } = await recorded(t, client, [scenario]);
  assert.equal(end, 'finished');
  assert.equal(exits.length, 2);
  for (const { output, how } of exits) {
    assert.match(output, /^http:\/\/127\.0\.0\.1:\d+\/s-[0-9a-f]{16}\/v1 3 2 4 \n\[key\] false\n$/);
    assert.deepEqual(how, { kind: 'exited', code: 0 });
  }
  const ports = new Set(exits.map(({ output }) => /:(\d+)\//.exec(output)?.[1]));
  assert.equal(ports.size, 2, 'each start has a service of its own');
  assert.equal(JSON.stringify(lines).split('"Bearer [key]"').length - 1, 2);
});

test('the last requests before the end of a client are recorded', async (t) => {
  // It ends as soon as its request is written, however long that takes.
  const { lines } = await recorded(
    t,
    nodeClient(`import { subscribe } from 'node:diagnostics_channel';
await list();
subscribe('undici:client:sendHeaders', () => setImmediate(() => process.exit(3)));
list();`),
  );
  assert.equal(lines.filter(({ kind }) => kind === 'arrival').length, 2);
});

test('further starts follow where the series leave the backoff unclear, and not otherwise', async (t) => {
  const series: Scenario = { ...brief, id: 'series', decides: ['CLIENT-2'], repetitions: 2 };
  const further: Scenario = { ...series, id: 'further', when: 'unclear backoff' };
  const client = nodeClient('await list();');
  const clear = await recorded(t, client, [series, further]);
  assert.equal(calls('further', clear.lines), 0);
  const asked: number[] = [];
  const unclear = await recorded(t, client, [series, further], {
    needsMoreOfBackoff: () => asked.push(1) > 0,
  });
  assert.equal(calls('further', unclear.lines), 2);
  assert.equal(asked.length, 1);
  assert.deepEqual(unclear.exits.map(({ start }) => start).toSorted(), [1, 2, 3, 4]);
});

test('the bound on the time of the run ends it, and what was recorded stays', async (t) => {
  const client = nodeClient('await list(); setInterval(() => {}, 1000);');
  const { end, lines, exits } = await recorded(t, client, [{ ...brief, watchSeconds: 60 }], { seconds: 4 });
  assert.equal(end, 'out-of-time');
  assert.deepEqual(exits[0]?.how, { kind: 'stopped', because: 'interrupted' });
  const last = lines.at(-1);
  assert.ok(last?.kind === 'end' && last.how === 'interrupted' && /bound of 4 s/.test(last.because));
});

for (const [name, words, sentence] of [
  ['no program', ['/no/such/program'], /could not be started: there is no such program/],
  ['no permission', ['/'], /could not be started: its file is not executable/],
  [
    'a failure at once',
    nodeClient("console.error('cannot find module x'); process.exit(7)"),
    /sent no request: it exited with status 7\..*cannot find module x/,
  ],
  [
    'an error with a stack, and a line of the runtime after it',
    nodeClient("throw new TypeError('no such field')"),
    /sent no request: it exited with status 1\. It printed: .TypeError: no such field/,
  ],
  [
    'HTTP/2 without having asked',
    nodeClient(`const { connect } = await import('node:http2');
      connect(new URL(target).origin).on('error', () => process.exit(1)).request({ ':path': '/v1/categories' });`),
    /sent no request.*It spoke HTTP\/2 from the first byte; the scripted service speaks HTTP\/1.1/,
  ],
  [
    'TLS',
    nodeClient("await fetch(target.replace('http:', 'https:') + '/categories')"),
    /sent no request.*It began TLS, but the address/,
  ],
  [
    'an end without a request',
    nodeClient(''),
    /sent no request: it exited with status 0\. It printed nothing/,
  ],
  [
    'a signal',
    nodeClient("process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)"),
    /ended by SIGTERM/,
  ],
  [
    'no request in time',
    nodeClient('setInterval(() => {}, 1000)'),
    /because it had sent nothing\..*its first request within 1 s.*--template node/,
  ],
] as const) {
  test(`${name}: one sentence, and no further starts`, async (t) => {
    const scenario: Scenario = { ...brief, repetitions: 5 };
    const began = performance.now();
    await assert.rejects(
      recorded(t, words as readonly [string, ...string[]], [scenario], {
        firstRequestSeconds: name === 'no request in time' ? 1 : 20,
        jobs: 2,
      }),
      (error: Error) => {
        assert.equal(error.name, 'UserError');
        assert.match(error.message, sentence);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      },
    );
    assert.ok(performance.now() - began < 20_000);
  });
}

test('a journal that cannot be written ends the run with its error', async (t) => {
  const client = nodeClient('await list(); setInterval(() => {}, 1000);');
  let lines = 0;
  const observe = (): void => {
    lines += 1;
    if (lines === 3) throw new Error('the disk is full');
  };
  await assert.rejects(recorded(t, client, [brief], { observe }), /the disk is full/);
});

test('a client that has sent nothing since a 429 is watched for longer, and no other one', async (t) => {
  const client = nodeClient(
    'const { status } = await list(); if (status === 429) setTimeout(list, 2500); setInterval(() => {}, 1000);',
  );
  const short: Scenario = { ...brief, watchSeconds: 1, silentSeconds: 60 };
  const script = { kind: 'sequence', replies: [limitedFor(1), served] } as const;
  const limited: Scenario = { ...short, id: 'limited', silentSeconds: 6, script };
  const began = performance.now();
  const { exits } = await recorded(t, client, [short]);
  assert.ok(performance.now() - began < 30_000);
  assert.deepEqual(exits[0]?.how, { kind: 'stopped', because: 'watched' });
  const waited = await recorded(t, client, [limited]);
  assert.equal(waited.lines.filter(({ kind }) => kind === 'arrival').length, 2);
});

test('a start in which the client was too slow for a first request is made once more', async (t) => {
  const marker = temporaryPath(t, 'first');
  const client = nodeClient(`
    const { existsSync, writeFileSync } = await import('node:fs');
    const waits = process.env.PETSTORE_CREATES === '1' && !existsSync(${JSON.stringify(marker)});
    if (waits) writeFileSync(${JSON.stringify(marker)}, '');
    if (waits) setInterval(() => {}, 1000);
    else await list();`);
  const slow: Scenario = { ...brief, id: 'slow', work: { calls: 1, creates: 1, concurrency: 1 } };
  const { lines, exits, end } = await recorded(t, client, [brief, slow], { firstRequestSeconds: 4, jobs: 1 });
  assert.equal(end, 'finished');
  assert.equal(calls('slow', lines), 2);
  const shown = exits.map(({ start, how }) => `${start} ${how.kind}`).toSorted();
  assert.deepEqual(shown, ['1 exited', '2 stopped', '3 exited']);
});
