import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { plansFile, run, temporaryFolder } from '../../evaluation/testing/cli/command.ts';
import { rejectEveryKey, serve } from '../../evaluation/testing/cli/target.ts';
import { readOpenapi } from './openapi-document.ts';

const KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3=';

const reportOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
const journalOf = (folder: string) =>
  readFileSync(join(folder, 'journal.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the OpenAPI document', { concurrency: 2 }, () => {
  const document = readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8');

  /** Serves the document by `answer`, and whatever else with 401. */
  const examined = async (t: TestContext, answer: RequestListener) => {
    const cwd = temporaryFolder(t);
    const credentials: unknown[] = [];
    const target = await serve(t, (request, response) => {
      if (!request.url?.startsWith('/openapi')) return rejectEveryKey(request, response);
      credentials.push(request.headers['authorization'] ?? request.headers['x-gateway']);
      return answer(request, response);
    });
    const args = ['certify', '--target', `${target}/v1`, '--plans', plansFile(cwd, 1), '--out', 'run'];
    const more = ['--openapi', `${target}/openapi?token=abcdef123`, '--header', 'X-Gateway: 1'];
    const ended = await run(t, [...args, ...more], { cwd, env: { PETSTORE_API_KEY: KEY } });
    return { ...ended, credentials, folder: join(cwd, 'run') };
  };

  test('is fetched without any key, over a redirect of the same origin, and is evidence', async (t) => {
    const { credentials, folder } = await examined(t, (request, response) => {
      if (request.url?.startsWith('/openapi?')) response.writeHead(302, { Location: '/openapi.yaml' }).end();
      else response.end(document);
    });
    assert.deepEqual(credentials, [undefined, undefined]);
    const kept = journalOf(folder).find(({ kind }) => kind === 'document');
    assert.equal(kept.text, document);
    assert.ok(!kept.source.includes('token'), 'a query may hold a credential');
    const verdict = reportOf(folder).requirements.find(({ id }: { id: string }) => id === 'VER-2');
    assert.equal(verdict.verdict, 'pass');
  });

  const failing: Readonly<Record<string, readonly [RequestListener, RegExp]>> = {
    'is not fetched from another origin': [
      (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/openapi' }).end(),
      /redirected to another origin/,
    ],
    'is not looked for for ever': [
      (_, response) => response.writeHead(302, { Location: '/openapi' }).end(),
      /redirected too often/,
    ],
    'that is not there stops the run': [
      (_, response) => response.writeHead(404).end(),
      /answered with status 404/,
    ],
    'that is too large is not swallowed': [
      (_, response) => {
        const block = Buffer.alloc(1024 * 1024, ' ');
        const more = (): unknown => response.destroyed || response.write(block, more);
        more();
      },
      /is larger than 5 MiB/,
    ],
  };
  for (const [what, [answer, says]] of Object.entries(failing)) {
    test(what, async (t) => {
      const { code, err } = await examined(t, answer);
      assert.equal(code, 2);
      assert.match(err, says);
      assert.ok(!err.includes('abcdef123'), 'a query may hold a credential');
    });
  }
});

describe('what the OpenAPI document refers to', { concurrency: 2 }, () => {
  const specification = readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8');
  const options = { ca: undefined, env: {}, signal: new AbortController().signal };
  const referring = (to: string): string =>
    specification.replace('paths:\n', `paths:\n  /more:\n    $ref: '${to}'\n`);
  const unreadOf = (documents: Awaited<ReturnType<typeof readOpenapi>>) =>
    documents?.slice(1).map(({ source, unread }) => [source, unread] as const);

  /** Reads the description at `/docs/openapi.yaml` of a server that knows these documents, and what it was asked. */
  const read = async (t: TestContext, documents: Readonly<Record<string, string>>) => {
    const asked: string[] = [];
    const origin = await serve(t, ({ url = '', headers }, response) => {
      asked.push(url);
      assert.equal(headers.authorization, undefined);
      const text = documents[url];
      if (text === undefined) response.writeHead(404).end();
      else if (text.startsWith('/')) response.writeHead(302, { Location: text }).end();
      else response.end(text);
    });
    const url = new URL(`${origin}/docs/openapi.yaml`);
    return { asked, documents: await readOpenapi({ kind: 'address', url }, options), origin };
  };

  test('is read once each, whatever refers to it', async (t) => {
    const { asked, documents, origin } = await read(t, {
      '/docs/openapi.yaml': referring('more/a.yaml#/x').replaceAll(
        '#/components/schemas/Error',
        './more/b.yaml',
      ),
      '/docs/more/a.yaml': "x:\n  get:\n    $ref: '../more/b.yaml'\n",
      '/docs/more/b.yaml': "$ref: 'a.yaml'\n",
    });
    assert.deepEqual(asked, ['/docs/openapi.yaml', '/docs/more/b.yaml', '/docs/more/a.yaml']);
    assert.deepEqual(
      documents?.map(({ address }) => address),
      asked.map((path) => origin + path),
    );
  });

  test('is relative to where the description was found in the end', async (t) => {
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
    'a file beneath the address that documents of files have': ['file:///document/a.yaml', /another origin/],
    'data in an address': ['data:application/json,{}', /another origin/],
    'what is not there': ['none.yaml', /status 404/],
    'what redirects': ['moved.yaml', /status 302/],
    'what is too large': ['large.yaml', /too large/],
  };
  for (const [what, [to, says]] of Object.entries(forbidden)) {
    test(`is recorded as not read where it leads to ${what}`, async (t) => {
      const { documents } = await read(t, {
        '/docs/openapi.yaml': referring(to),
        '/docs/moved.yaml': '/docs/a.yaml',
        '/docs/a.yaml': 'get: {}',
        '/docs/large.yaml': ' '.repeat(2 * 1024 * 1024),
      });
      const [[, unread = ''] = []] = unreadOf(documents) ?? [];
      assert.match(unread, says);
    });
  }

  test('is not asked for with a password that the document gives', async (t) => {
    const origin = await serve(t, ({ url = '', headers: { host } }, response) =>
      response.end(url === '/openapi.yaml' ? referring(`http://user:pass@${host}/a.yaml`) : 'get: {}'),
    );
    const documents = await readOpenapi({ kind: 'address', url: new URL(`${origin}/openapi.yaml`) }, options);
    assert.match(unreadOf(documents)?.[0]?.[1] ?? '', /credentials/);
  });

  test('is bounded in number', async (t) => {
    const { asked } = await read(t, {
      '/docs/openapi.yaml': JSON.stringify({
        a: Array.from({ length: 1000 }, (_, i) => ({ $ref: `${i}.json` })),
      }),
    });
    assert.equal(asked.length, 51);
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
    const documents = await readOpenapi({ kind: 'file', path }, options);
    assert.ok(!JSON.stringify(documents).includes('secret"'));
    assert.deepEqual(
      documents
        ?.slice(1)
        .map(({ text, unread = '' }) => text || unread.replace(/^"[^"]*" /, ''))
        .sort(),
      [
        'get: {}',
        'is no file',
        'leads out of the folder of the document',
        ...Array(3).fill('lies outside the folder of the document'),
      ],
    );
  });
});
