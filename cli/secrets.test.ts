import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { plansFile, run, temporaryFolder } from '../evaluation/testing/cli/command.ts';
import { serve } from '../evaluation/testing/cli/target.ts';

const KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3';
const OTHER = 'pk-other-Kd72/hYb+5cNq';

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const escaped = (text: string): string =>
  [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

/** Every form in which a key could appear. */
const forms = (key: string): readonly string[] => [
  key,
  key.slice(0, -1),
  encodeURIComponent(key),
  percent(key),
  percent(key).toUpperCase(),
  escaped(key),
  base64(key),
  base64(`${key}:`),
  base64(`:${key}`),
];

/** A target that sends the credential back, in headers and bodies, in every form. */
const echo: RequestListener = (request, response) => {
  const credential = request.headers.authorization ?? '';
  const key = credential.replace(/^\w+ */, '');
  response.setHeader('X-Echo', `${credential} ${encodeURIComponent(key)} ${base64(key)}`);
  response.setHeader('Content-Type', 'application/json');
  response.writeHead(request.method === 'POST' ? 400 : 200);
  response.end(
    `{"code":"${escaped(key)}","message":${JSON.stringify(`${request.url} ${JSON.stringify(request.headers)}`)},"status":400,"more":"${percent(key)} ${base64(key)}"}`,
  );
};

/** Everything that a run printed and wrote, by its place. */
async function tracesOf(t: TestContext, listener: RequestListener, code: number) {
  const cwd = temporaryFolder(t);
  const target = await serve(t, listener);
  const args = ['certify', '--target', `${target}/v1`, '--plans', plansFile(cwd, 1), '--out', 'run'];
  const env = { PETSTORE_API_KEY: KEY, PETSTORE_OTHER_KEY: OTHER, PETSTORE_DEBUG: '1' };
  const ended = await run(t, args, { cwd, env });
  assert.equal(ended.code, code, ended.err);
  const folder = join(cwd, 'run');
  const journal = join(folder, 'journal.ndjson');
  const archive = await run(t, ['har', journal], { cwd });
  const printed = await run(t, ['judge', journal, '--format', 'json', '--out', 'again'], { cwd });
  const table = await run(t, ['matrix', 'run', '--format', 'html'], { cwd });
  return new Map([
    ['standard output', ended.out],
    ['standard error', ended.err],
    ['har', archive.out],
    ['judge --format json', printed.out],
    ['matrix', table.out],
    ...readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const),
  ]);
}

function assertNoKey(traces: ReadonlyMap<string, string>): void {
  assert.equal(traces.size, 13);
  for (const [place, text] of traces) assert.ok(text.length > 0, place);
  assert.ok(
    traces.get('journal.ndjson')?.includes('[key]'),
    'the key was sent back, and its name stands in its place',
  );
  for (const [place, text] of traces) {
    for (const form of [KEY, OTHER].flatMap(forms)) assert.ok(!text.includes(form), `${form} in ${place}`);
  }
}

test('no key is printed or written, in whatever form a target sends it back', async (t) => {
  assertNoKey(await tracesOf(t, echo, 1));
});

test('nor when the target stops responding and the stack trace is shown', async (t) => {
  let requests = 0;
  const echoThenVanish: RequestListener = (request, response) => {
    requests += 1;
    if (requests > 5) request.socket.destroy();
    else echo(request, response);
  };
  const traces = await tracesOf(t, echoThenVanish, 2);
  assert.match(traces.get('standard error') ?? '', /\n {4}at /);
  assertNoKey(traces);
});
