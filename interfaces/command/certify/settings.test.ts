import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { runWith, virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { commandIn } from '../../../evaluation/testing/cli/command.ts';
import { rejectEveryKey, serve } from '../../../evaluation/testing/cli/target.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import type { Seams } from '../../../reference-server/seams.ts';
import { loadPlans } from '../../../spec/plans.ts';
import { withInjectedFault } from './settings.ts';

const DEMONSTRATION = { plans: { ...loadPlans(), minuteSeconds: 4 }, exclusiveKey: true } as const;

async function certified(id: string, run = {}): Promise<RunRecord> {
  const fault = findFault(id);
  const { record, lines } = await virtualRun({ ...DEMONSTRATION, ...run, fault: fault as Seams });
  const [head] = lines;
  assert.ok(head?.kind === 'run');
  return withInjectedFault(record, fault, head.inputs);
}

const rows: readonly (readonly [id: string, text: RegExp, fix: RegExp])[] = [
  ['window-of-45-seconds', /violates LIMIT-4: its evidence does not suffice\.$/, /"minuteSeconds"` is 60/],
  ['list-shows-everything-twice', /violates LIST-3: no sound run can\. The list contains/, /explain LIST-3/],
  ['limit-enforced-once', /violates LIMIT-1: it needs `--thorough`\.$/, /^Add `--thorough`\.$/],
  ['lists-never-limited', /it needs a disposable key/, /`serve --fault lists-never-limited`/],
];
for (const [id, text, fix] of rows) {
  test(`a run that cannot show ${id} says so instead of "conforms"`, async () => {
    const { outcome, headline } = await certified(id);
    assert.equal(outcome, 'incomplete');
    assert.equal(headline?.kind, 'fault-not-shown');
    assert.match(headline.text, text);
    assert.match(headline.fix, fix);
  });
}

test('a fault that shows changes nothing', async () => {
  assert.equal((await certified('retry-after-absent')).headline, undefined);
  const thorough = await certified('limit-enforced-once', runWith(['thorough']));
  assert.equal(thorough.headline, undefined);
  assert.equal(thorough.outcome, 'violates');
});

const KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3=';

describe('the OpenAPI document', { concurrency: 2 }, () => {
  const document = readFileSync(new URL('../../../spec/openapi.yaml', import.meta.url), 'utf8');

  /** Runs the command against a server that sends the document by `answer`, and everything else with 401. */
  const tested = async (t: TestContext, answer: RequestListener) => {
    const here = commandIn(t, { PETSTORE_API_KEY: KEY });
    here.plans(1);
    const credentials: unknown[] = [];
    const target = await serve(t, (request, response) => {
      if (!request.url?.startsWith('/openapi')) return rejectEveryKey(request, response);
      credentials.push(request.headers['authorization'] ?? request.headers['x-gateway']);
      return answer(request, response);
    });
    const openapi = `--openapi ${target}/openapi?token=abcdef123 --header 'X-Gateway: 1'`;
    const result = await here.run(`certify --target ${target}/v1 --plans plans.json --out run ${openapi}`);
    return { ...here, ...result, credentials };
  };

  test('is fetched without a key, through a redirect within its origin, and is evidence', async (t) => {
    const { credentials, journal, verdict } = await tested(t, (request, response) => {
      if (request.url?.startsWith('/openapi?')) response.writeHead(302, { Location: '/openapi.yaml' }).end();
      else response.end(document);
    });
    assert.deepEqual(credentials, [undefined, undefined]);
    const line = journal().find(({ kind }) => kind === 'document');
    assert.equal(line.text, document);
    assert.ok(!line.source.includes('token'), 'a query may hold a credential');
    assert.equal(verdict('VER-2'), 'pass');
  });

  const failing: Readonly<Record<string, readonly [RequestListener, RegExp]>> = {
    'that redirects to another origin stops the run': [
      (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/openapi' }).end(),
      /redirected to another origin/,
    ],
    'that redirects to itself stops the run': [
      (_, response) => response.writeHead(302, { Location: '/openapi' }).end(),
      /redirected more than 5 times/,
    ],
    'that is missing stops the run': [
      (_, response) => response.writeHead(404).end(),
      /the response has status 404/,
    ],
    'that is too large stops the run': [
      (_, response) => {
        const block = Buffer.alloc(1024 * 1024, ' ');
        const more = (): unknown => response.destroyed || response.write(block, more);
        more();
      },
      /is too large/,
    ],
  };
  for (const [title, [answer, expected]] of Object.entries(failing)) {
    test(title, async (t) => {
      const { code, err } = await tested(t, answer);
      assert.equal(code, 2);
      assert.match(err, expected);
      assert.ok(!err.includes('abcdef123'), 'a query may hold a credential');
    });
  }
});
