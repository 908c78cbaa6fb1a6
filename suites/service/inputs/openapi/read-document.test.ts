import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { serve } from '../../../../evaluation/testing/cli/target.ts';
import { temporaryFolder } from '../../../../evaluation/testing/tools/folder.ts';
import { documentText, readOpenapiDocuments } from './read-document.ts';

describe('what the OpenAPI document refers to', { concurrency: 2 }, () => {
  const specification = readFileSync(new URL('../../../../spec/openapi.yaml', import.meta.url), 'utf8');
  const options = { certificateAuthority: undefined, signal: new AbortController().signal };
  const referring = (to: string): string =>
    specification.replace('paths:\n', `paths:\n  /more:\n    $ref: '${to}'\n`);
  const unreadOf = (documents: Awaited<ReturnType<typeof readOpenapiDocuments>>) =>
    documents?.slice(1).map(({ source, unread }) => [source, unread] as const);

  /** Reads the description at `/docs/openapi.yaml` of a server that knows these documents, and which paths it received. */
  const read = async (t: TestContext, documents: Readonly<Record<string, string>>) => {
    const requested: string[] = [];
    const origin = await serve(t, ({ url = '', headers }, response) => {
      requested.push(url);
      assert.equal(headers.authorization, undefined);
      const text = documents[url];
      if (text === undefined) response.writeHead(404).end();
      else if (text.startsWith('/')) response.writeHead(302, { Location: text }).end();
      else response.end(text);
    });
    const url = new URL(`${origin}/docs/openapi.yaml`);
    return {
      requested,
      documents: await readOpenapiDocuments({ kind: 'address', url, proxied: false }, options),
      origin,
    };
  };

  test('is not read from a page of HTML in its place, fetched or in a file', async (t) => {
    const page = '<!doctype html><title>API</title><p>See the documentation</p>';
    const sentence = /is a page of HTML/;
    await assert.rejects(read(t, { '/docs/openapi.yaml': page }), sentence);
    const path = join(temporaryFolder(t), 'openapi.html');
    writeFileSync(path, page);
    await assert.rejects(readOpenapiDocuments({ kind: 'file', path }, options), sentence);
  });

  test('is read once each, however many documents refer to it', async (t) => {
    const { requested, documents, origin } = await read(t, {
      '/docs/openapi.yaml': referring('more/a.yaml#/x').replaceAll(
        '#/components/schemas/Error',
        './more/b.yaml',
      ),
      '/docs/more/a.yaml': "x:\n  get:\n    $ref: '../more/b.yaml'\n",
      '/docs/more/b.yaml': "$ref: 'a.yaml'\n",
    });
    assert.deepEqual(requested, ['/docs/openapi.yaml', '/docs/more/b.yaml', '/docs/more/a.yaml']);
    assert.deepEqual(
      documents?.map(({ address }) => address),
      requested.map((path) => origin + path),
    );
  });

  test('is relative to the address where the redirects of the description end', async (t) => {
    const { documents } = await read(t, {
      '/docs/openapi.yaml': '/elsewhere/openapi.yaml',
      '/elsewhere/openapi.yaml': referring('a.yaml'),
      '/elsewhere/a.yaml': 'get: {}',
    });
    assert.deepEqual(
      documents?.map(({ text }) => text.length > 0),
      [true, true],
    );
  });

  const forbidden: Readonly<Record<string, readonly [to: string, RegExp]>> = {
    'another origin': ['http://127.0.0.1:1/a.yaml', /another origin/],
    'another scheme': ['https://127.0.0.1/a.yaml', /another origin/],
    'a file': ['file:///etc/passwd', /another origin/],
    'a file below the address that stands for local documents': ['file:///document/a.yaml', /another origin/],
    'data in an address': ['data:application/json,{}', /another origin/],
    'a missing document': ['none.yaml', /status 404/],
    'a redirect': ['moved.yaml', /status 302/],
    'a document that is too large': ['large.yaml', /too large/],
  };
  for (const [place, [to, reason]] of Object.entries(forbidden)) {
    test(`is recorded as not read where it leads to ${place}`, async (t) => {
      const { documents } = await read(t, {
        '/docs/openapi.yaml': referring(to),
        '/docs/moved.yaml': '/docs/a.yaml',
        '/docs/a.yaml': 'get: {}',
        '/docs/large.yaml': ' '.repeat(2 * 1024 * 1024),
      });
      const [[, unread = ''] = []] = unreadOf(documents) ?? [];
      assert.match(unread, reason);
    });
  }

  test('is not read with a password that the document contains', async (t) => {
    const origin = await serve(t, ({ url = '', headers: { host } }, response) =>
      response.end(url === '/openapi.yaml' ? referring(`http://user:pass@${host}/a.yaml`) : 'get: {}'),
    );
    const documents = await readOpenapiDocuments(
      { kind: 'address', url: new URL(`${origin}/openapi.yaml`), proxied: false },
      options,
    );
    assert.match(unreadOf(documents)?.[0]?.[1] ?? '', /credentials/);
  });

  test('is bounded in number', async (t) => {
    const { requested } = await read(t, {
      '/docs/openapi.yaml': JSON.stringify({
        a: Array.from({ length: 1000 }, (_, i) => ({ $ref: `${i}.json` })),
      }),
    });
    assert.equal(requested.length, 51);
  });

  test('of a file is read from its folder and from nowhere else', async (t) => {
    const cwd = temporaryFolder(t);
    mkdirSync(join(cwd, 'api', 'paths'), { recursive: true });
    writeFileSync(join(cwd, 'secret.yaml'), 'secret');
    symlinkSync(join(cwd, 'secret.yaml'), join(cwd, 'api', 'link.yaml'));
    writeFileSync(join(cwd, 'api', 'paths', 'a.yaml'), 'get: {}');
    const to = [
      'paths/a.yaml',
      '../secret.yaml',
      'link.yaml',
      'file:///etc/passwd',
      '/etc/passwd',
      'http://127.0.0.1:1/',
      'paths',
    ];
    const path = join(cwd, 'api', 'openapi.yaml');
    writeFileSync(path, JSON.stringify({ all: to.map((one) => ({ $ref: one })) }));
    const documents = await readOpenapiDocuments({ kind: 'file', path }, options);
    assert.ok(!JSON.stringify(documents).includes('secret"'));
    assert.deepEqual(
      documents
        ?.slice(1)
        .map(({ text, unread = '' }) => text || unread.replace(/^"[^"]*" /, ''))
        .sort(),
      [
        'get: {}',
        'is not a file',
        'leads out of the folder of the document',
        ...Array(3).fill('lies outside the folder of the document'),
      ],
    );
  });
});

const TEXT = 'openapi: 3.0.3 # é';
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

for (const [what, bytes] of [
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
  ['UTF-16 without one', Buffer.from(TEXT, 'utf16le')],
  ['big-endian UTF-16', bigEndian(`\uFEFF${TEXT}`)],
  ['big-endian UTF-16 without a byte order mark', bigEndian(TEXT)],
] as const) {
  test(`a document in ${what}`, () => assert.equal(documentText(bytes), TEXT));
}

test('no bytes are no text', () => assert.equal(documentText(new Uint8Array()), ''));
