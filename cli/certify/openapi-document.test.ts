import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { plansFile, run, temporaryFolder } from '../testing/command.ts';
import { refuseEveryone, serve } from '../testing/target.ts';

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
      if (!request.url?.startsWith('/openapi')) return refuseEveryone(request, response);
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
