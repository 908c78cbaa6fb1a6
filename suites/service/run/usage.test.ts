import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PARAMETERS } from '../../../interfaces/options/names.ts';
import { userLedger } from '../../../kernel/usage-ledger/user-ledger.ts';
import { loadPlans } from '../../../spec/plans.ts';
import { furtherKeysIn } from '../wire/keyring.ts';
import { recordToFile } from './record-to-file.ts';
import { settleRun } from './run-settings.ts';
import { enterRun } from './usage.ts';

const folder = mkdtempSync(join(tmpdir(), 'usage-'));
process.env['XDG_STATE_HOME'] = join(folder, 'state');
after(() => rmSync(folder, { recursive: true, force: true }));

const ledger = { enters: 'every run', report: assert.fail } as const;

/** A run of a whole day against nothing, with keys of its own. The other key comes first, as a program may give them. */
function wholeDay(name: string, openapi?: string) {
  const keys = { other: `other-${name}`, key: `key-${name}` };
  const run = settleRun(
    { spendDay: true, openapi },
    { plans: loadPlans(), furtherKeys: furtherKeysIn(keys), names: PARAMETERS },
  );
  const baseUrl = new URL('http://127.0.0.1:9/v1');
  const target = { baseUrl, keys, certificateAuthority: undefined, headers: [], proxied: false };
  const entered = (key: string) =>
    userLedger()
      .historyOf(key, baseUrl.origin)
      .runs.map(({ requests }) => requests);
  return { run, target, keys, entered };
}

test('a run of a whole day that is refused uses nothing of any key', () => {
  const { run, target, keys, entered } = wholeDay('used');
  const earlier = { key: keys.key, origin: target.baseUrl.origin, command: 'certify', requests: 5 };
  userLedger().enter({ ...earlier, until: Date.now() }, Date.now());
  assert.throws(() => enterRun(ledger, run.plan, target, Date.now()), { name: 'GuardError' });
  assert.deepEqual([entered(keys.other), entered(keys.key)], [[0], [5, 0]]);
});

test('a run whose OpenAPI document cannot be read is not entered', async () => {
  const { run, target, keys, entered } = wholeDay('unread', join(folder, 'none.yaml'));
  const path = join(folder, 'journal.ndjson');
  const { signal } = new AbortController();
  await assert.rejects(recordToFile(run, target, { path, ledger, names: PARAMETERS, signal }), {
    name: 'UserError',
  });
  assert.deepEqual([entered(keys.other), entered(keys.key), existsSync(path)], [[], [], false]);
});
