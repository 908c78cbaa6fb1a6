import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { plansFile, run, temporaryFolder } from './testing/command.ts';
import { serve } from './testing/target.ts';

const KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3';
const OTHER = 'pk-other-Kd72/hYb+5cNq';

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const escaped = (text: string): string =>
  [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

/** Every form in which a key could be found again. */
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

/** A target that says back whatever it was told, in headers and bodies, in every form. */
const echo: RequestListener = (request, response) => {
  const told = request.headers.authorization ?? '';
  const key = told.replace(/^\w+ */, '');
  response.setHeader('X-Echo', `${told} ${encodeURIComponent(key)} ${base64(key)}`);
  response.setHeader('Content-Type', 'application/json');
  response.writeHead(request.method === 'POST' ? 400 : 200);
  response.end(
    `{"code":"${escaped(key)}","message":${JSON.stringify(`${request.url} ${JSON.stringify(request.headers)}`)},"status":400,"more":"${percent(key)} ${base64(key)}"}`,
  );
};

test('no key is printed or written, in whatever form a target says it back', async (t) => {
  const cwd = temporaryFolder(t);
  const target = await serve(t, echo);
  const args = ['certify', '--target', `${target}/v1`, '--plans', plansFile(cwd, 1), '--out', 'run'];
  const env = { PETSTORE_API_KEY: KEY, PETSTORE_OTHER_KEY: OTHER, PETSTORE_DEBUG: '1' };
  const { code, out, err } = await run(t, args, { cwd, env });
  assert.equal(code, 1, err);
  const folder = join(cwd, 'run');
  const places = new Map([
    ['standard output', out],
    ['standard error', err],
    ...readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const),
  ]);
  assert.equal(places.size, 7);
  assert.ok(
    places.get('journal.ndjson')?.includes('[key]'),
    'the key was said back, and its name stands there',
  );
  for (const [place, text] of places) {
    for (const key of [KEY, OTHER]) {
      for (const form of forms(key)) assert.ok(!text.includes(form), `${form} stands in ${place}`);
    }
  }
});
