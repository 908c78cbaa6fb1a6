import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { assertPage } from '../../evaluation/testing/tools/page.ts';
import { UserError } from '../../kernel/basics/errors.ts';
import { userLedger } from '../../kernel/usage-ledger/ledger.ts';
import { requestsByCaller } from '../../suites/service/run/usage.ts';
import type { CertifyOptions, Keys } from './index.ts';
import { certify } from './index.ts';
import { startServer } from './reference-server.ts';

const folder = temporaryFolder({ after });
process.env['XDG_STATE_HOME'] = join(folder, 'state');

const plansWith = (free: { readonly perMinute: number; readonly perDay: number }) => ({
  minuteSeconds: 2,
  daySeconds: 86_400,
  plans: { free },
});
const PLANS = plansWith({ perMinute: 60, perDay: 1000 });
const KEY = 'pk-library-0123456789';

/** Nothing listens here: a mistake must be found before anything is sent. */
const NOWHERE = 'http://127.0.0.1:9/v1';

const keysOf = (value: unknown): Keys => value as Keys;

/** What a program in JavaScript may give. */
const anyOf = (value: unknown): never => value as never;

const MISTAKES: Readonly<Record<string, Partial<CertifyOptions>>> = {
  'a key with a line end': { keys: { key: `${KEY}\n` } },
  'an empty key': { keys: { key: '' } },
  'a variable that is not set': { keys: keysOf({ key: undefined }) },
  'a wrong key of another caller': { keys: { key: KEY, other: `${KEY} x` } },
  'a wrong key of a plan': { keys: { key: KEY, plans: { free: 'ä' } } },
  'one key in two roles': { keys: { key: KEY, other: KEY } },
  'an unknown requirement': { only: 'CREAT-4' },
  'nothing left': { only: ['CREATE-4'], skip: 'CREATE' },
  'quick and thorough': { quick: true, thorough: true },
  'a baseline that is missing': { baseline: 'none.json' },
  'a day that is too large': { spendDay: true, plans: plansWith({ perMinute: 60, perDay: 90_000 }) },
  'plans with a wrong number': { plans: plansWith({ perMinute: 0, perDay: 5 }) },
  'a certificate without its key': { cert: 'none.pem' },
  'no keys': { keys: keysOf(undefined) },
  'headers as an object': { headers: anyOf({ a: 'b' }) },
  'a misspelt option': anyOf({ quik: true }),
  'a number in place of ids': { only: anyOf(5) },
  'a folder that cannot be made': { journal: '/proc/x/y/journal.ndjson' },
  'a reserved header': { headers: [['Authorization', 'Basic 1']] },
};

test('a mistake in an option of the library is one sentence that repeats no key', async () => {
  let page = '';
  for (const [title, options] of Object.entries(MISTAKES)) {
    const given = { target: NOWHERE, keys: { key: KEY }, plans: PLANS, ...options };
    await assert.rejects(certify(given), (error) => {
      assert.ok(error instanceof UserError, String(error));
      assert.ok(!error.message.includes(KEY));
      page += `${title}\n  ${error.message}\n`;
      return true;
    });
  }
  assertPage('interfaces/library/mistakes.txt', page);
});

describe('the library certifies as the command does', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  before(async () => {
    server = await startServer({ plans: PLANS, faults: ['list-206'] });
  });
  after(() => server.close());

  test('a quick run with a baseline, entered into the usage ledger', async () => {
    const baseline = join(folder, 'known.json');
    const entry = { id: 'LIST-1', reason: 'a release is coming', owner: 'pets', expires: '2099-01-01' };
    writeFileSync(baseline, JSON.stringify({ baselineVersion: 1, violations: [entry] }));
    const key = server.keys['free']?.[0] ?? '';
    const { record, gate, exitCode, journal } = await certify({
      target: server.baseUrl,
      keys: { key },
      plans: PLANS,
      quick: true,
      baseline,
      journal: join(folder, 'quick', 'journal.ndjson'),
    });
    assert.equal(record.outcome, 'violates');
    assert.deepEqual(record.baseline?.known, ['LIST-1']);
    assert.deepEqual([gate, exitCode], ['incomplete', 3], 'what LIST-1 leaves undecided is not accepted');
    const { runs } = userLedger().historyOf(key, new URL(server.baseUrl).origin);
    assert.deepEqual(
      runs.map(({ requests }) => requests),
      [requestsByCaller(journal).get('key')],
    );
  });

  test('a selection sends what it needs', async () => {
    const { record, gate, exitCode } = await certify({
      target: server.baseUrl,
      keys: { key: server.keys['free']?.[1] ?? '' },
      plans: PLANS,
      only: ['AUTH-1', 'VER-2'],
      openapi: join(import.meta.dirname, '..', '..', 'spec', 'openapi.yaml'),
      journal: join(folder, 'selected', 'journal.ndjson'),
    });
    const verdicts = record.requirements.filter(({ verdict }) => verdict !== 'not-tested');
    assert.deepEqual(
      verdicts.map(({ id, verdict }) => `${id} ${verdict}`),
      ['AUTH-1 pass', 'VER-2 pass'],
    );
    assert.deepEqual([record.outcome, record.partial, gate, exitCode], ['incomplete', 'pass', 'partial', 0]);
  });
});
