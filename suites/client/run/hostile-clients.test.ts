import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import {
  brief,
  nodeClient,
  processesWith,
  recorded,
  temporaryPath,
} from '../../../evaluation/testing/clients/recorded.ts';

/** A program that lives long, and is found by this text. */
const sleeper = (id: string): string => `setInterval(() => '${id}', 1000)`;

test('a client that floods is stopped, named, and leaves a small journal', async (t) => {
  const client = nodeClient('for (;;) list().catch(() => {}), await new Promise((r) => setTimeout(r, 1));');
  const { path, exits, lines } = await recorded(t, client, [brief]);
  assert.deepEqual(exits[0]?.how, { kind: 'stopped', because: 'too-many-requests' });
  assert.ok(lines.filter(({ kind }) => kind === 'arrival').length <= 300);
  assert.ok(statSync(path).size < 1_000_000);
});

test('a client that prints without end is stopped, and only the end of it is kept', async (t) => {
  const client = nodeClient(`await list(); for (;;) {
    if (!process.stdout.write('x'.repeat(65000) + '\\n')) await new Promise((r) => process.stdout.once('drain', r));
  }`);
  const { exits } = await recorded(t, client, [brief]);
  assert.deepEqual(exits[0]?.how, { kind: 'stopped', because: 'too-much-output' });
  assert.ok((exits[0]?.output.length ?? 0) <= 66_000);
});

test('a client that hangs and ignores signals is ended when it has been watched', async (t) => {
  const id = randomUUID();
  const client = nodeClient(
    `for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {}); await list(); ${sleeper(id)}`,
  );
  const { exits } = await recorded(t, client, [{ ...brief, watchSeconds: 1 }]);
  assert.deepEqual(exits[0]?.how, { kind: 'stopped', because: 'watched' });
  assert.deepEqual(processesWith(id), []);
});

for (const [name, how] of [
  ['in its process group', '{ stdio: "ignore" }'],
  ['in a session of their own', '{ stdio: "ignore", detached: true }'],
  ['with its output still open', '{ stdio: "inherit", detached: true }'],
] as const) {
  test(`processes that it leaves ${name} are ended and named`, async (t) => {
    const id = randomUUID();
    const client = nodeClient(`
      import { spawn } from 'node:child_process';
      await list();
      for (let at = 0; at < 3; at += 1) spawn(process.execPath, ['--eval', ${JSON.stringify(sleeper(id))}], ${how}).unref();
      setTimeout(() => process.exit(0), 200);`);
    const { exits } = await recorded(t, client);
    assert.deepEqual(exits[0]?.how, { kind: 'exited', code: 0 });
    if (existsSync('/proc')) assert.deepEqual(exits[0]?.leftBehind, ['node']);
    assert.deepEqual(processesWith(id), []);
  });
}

test('a process that forks twice, starts a session and ignores signals is ended', async (t) => {
  const id = randomUUID();
  const script = `(setsid sh -c 'trap "" TERM INT HUP; exec ${process.execPath} --eval "process.on(\\"SIGTERM\\", () => {}); ${sleeper('MARKER').replaceAll("'", '\\"')}"' </dev/null >/dev/null 2>&1 &) ; exec "$0" "$@"`;
  const [node, ...args] = nodeClient('await list(); await new Promise((r) => setTimeout(r, 300));');
  const { exits } = await recorded(t, ['sh', '-c', script.replace('MARKER', id), node, ...args]);
  assert.equal(exits[0]?.how.kind, 'exited');
  if (existsSync('/proc')) assert.deepEqual(exits[0]?.leftBehind, ['node']);
  assert.deepEqual(processesWith(id), []);
});

test('the key stands nowhere in the journal, in whatever form a client sends or prints it', async (t) => {
  const seen = temporaryPath(t, 'key');
  const client = nodeClient(`
    import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(seen)}, key);
    const base64 = Buffer.from('user:' + key).toString('base64');
    const percent = [...Buffer.from(key)].map((byte) => '%' + byte.toString(16)).join('');
    const escaped = [...key].map((c) => '\\\\u' + c.charCodeAt(0).toString(16).padStart(4, '0')).join('');
    console.log(key, base64, percent, escaped);
    console.error('x'.repeat(64 * 1024 - 20) + key + ' ' + key);
    await list();
    for (const Authorization of [key, 'Basic ' + base64, 'Bearer ' + percent, 'Bearer ' + key.toUpperCase()])
      await fetch(target + '/categories?token=' + percent, {
        method: 'POST',
        headers: { Authorization, Cookie: 'key=' + key, 'X-API-Key': base64, ['X-' + key]: '1' },
        body: '{"key":"' + key + '","' + escaped + '":"' + base64 + '"}',
      });`);
  const { path, lines } = await recorded(t, client);
  assert.equal(lines.filter(({ kind }) => kind === 'arrival').length, 5);
  const key = readFileSync(seen, 'utf8');
  const journal = readFileSync(path, 'utf8').toLowerCase();
  const percent = [...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join('');
  const base64 = Buffer.from(`user:${key}`).toString('base64');
  for (const form of [key, key.slice(0, 20), key.slice(-20), percent, base64, base64.slice(8, -4)]) {
    assert.ok(!journal.includes(form.toLowerCase()), form);
  }
});
