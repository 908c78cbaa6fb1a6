import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { temporaryFolder } from '../../../evaluation/testing/tools/folder.ts';
import { FLAGS, PARAMETERS } from '../../../interfaces/options/command-line.ts';
import { userLedger } from '../../../kernel/usage-ledger/ledger.ts';
import { loadPlans } from '../../../spec/plans.ts';
import { register } from '../../../spec/register.ts';
import { furtherKeysIn } from '../wire/keyring.ts';
import { recordToFile } from './record-to-file.ts';
import type { RunOptions } from './run-settings.ts';
import { settleRun } from './run-settings.ts';
import type { SelectionOptions } from './select.ts';
import { quickIds, readSelection as read } from './select.ts';
import { enterRun } from './usage.ts';

const { plans, ...windows } = loadPlans();

/**
 * What a run of these options announces, for a limit per minute and perhaps a disposable key: requests with the key, at
 * most, with other keys and without one, creations, and seconds.
 */
const announced: readonly (readonly [
  RunOptions,
  perMinute: number,
  cost: readonly number[],
  disposable?: 'disposable',
])[] = [
  [{}, 1, [48, 111, 1, 86, 17, 3000]],
  [{}, 1, [49, 112, 34, 86, 17, 3060], 'disposable'],
  [{}, 10, [61, 223, 1, 86, 19, 540]],
  [{}, 20, [75, 347, 1, 86, 26, 360]],
  [{}, 40, [95, 587, 1, 86, 26, 300]],
  [{}, 60, [62, 774, 1, 86, 25, 60]],
  [{}, 60, [63, 775, 93, 86, 26, 60], 'disposable'],
  [{}, 300, [302, 3654, 1, 86, 25, 60]],
  [{ quick: true }, 10, [18, 406, 0, 22, 5, 60]],
  [{ quick: true }, 60, [18, 406, 0, 22, 5, 0]],
  [{ only: 'CREATE' }, 20, [48, 946, 0, 3, 22, 300]],
  [{ only: 'CREATE' }, 60, [48, 946, 0, 3, 22, 0]],
  [{ thorough: true }, 20, [118, 530, 1, 92, 29, 600]],
  [{ thorough: true }, 60, [185, 1317, 1, 107, 28, 300]],
  [{ spendDay: true }, 60, [1001, 2739, 1, 86, 25, 1106]],
  [{ spendDay: true }, 300, [1001, 5359, 1, 86, 25, 267]],
];

for (const [options, perMinute, cost, disposable] of announced) {
  test(`a run with ${JSON.stringify(options)}, a limit of ${perMinute} and ${disposable === undefined ? 'no' : 'a'} disposable key announces its cost`, () => {
    const free = { perMinute, perDay: 1000 };
    const { plan } = settleRun(options, {
      plans: { ...windows, plans: { ...plans, free } },
      furtherKeys: furtherKeysIn({
        ...{ key: 'key', other: 'other' },
        ...(disposable === undefined ? {} : { disposable }),
      }),
      names: PARAMETERS,
    });
    const { withKey, withOtherKeys, unauthenticated, categoriesCreated } = plan.total;
    assert.deepEqual(
      [
        withKey,
        plan.mostWithKey,
        withOtherKeys,
        unauthenticated,
        categoriesCreated,
        Math.round(plan.seconds),
      ],
      cost,
    );
  });
}

const readSelection = (options: SelectionOptions, selected?: readonly string[]) =>
  read(options, FLAGS, selected);
const idsOf = (...given: Parameters<typeof readSelection>) => readSelection(...given)?.requirements ?? [];
const level = (name: string) =>
  register.filter((one) => one.judged === 'by certify' && one.level === name).map(({ id }) => id);

describe('the options that limit a run', () => {
  test('none of them leaves the run complete', () => {
    assert.equal(readSelection({}), undefined);
    assert.equal(readSelection({ quick: false }), undefined);
  });

  test('name ids, chapters and levels, in lists, in any case and in the order of the register', () => {
    assert.deepEqual(idsOf({ only: ['create-4'] }), ['CREATE-4']);
    assert.deepEqual(idsOf({ only: ['RETRY-2, retry-1', 'MEDIA-1'] }), ['MEDIA-1', 'RETRY-1', 'RETRY-2']);
    assert.deepEqual(idsOf({ only: ['BAN'] }), ['BAN-1', 'BAN-2', 'BAN-3']);
    assert.deepEqual(idsOf({ only: ['MUST'] }), level('MUST'));
    assert.deepEqual(idsOf({ only: ['Retry-After and ban'] }).length, 7);
  });

  test('take away from what is left', () => {
    assert.deepEqual(idsOf({ only: ['RETRY'], skip: ['RETRY-1', 'RETRY-4'] }), ['RETRY-2', 'RETRY-3']);
    assert.deepEqual(idsOf({ skip: ['SHOULD,OBSERVE'] }), level('MUST'));
    const quickCreations = idsOf({ quick: true, only: ['CREATE'] });
    assert.ok(quickCreations.length > 10 && quickCreations.every((id) => quickIds.has(id)));
    assert.equal(readSelection({ quick: true, only: ['CREATE'] })?.kind, 'quick');
  });

  test('leave a part of what is selected beforehand', () => {
    assert.deepEqual(idsOf({}, ['RETRY-2', 'RETRY-1']), ['RETRY-1', 'RETRY-2']);
    assert.deepEqual(idsOf({ only: 'RETRY' }, ['RETRY-2', 'CREATE-1']), ['RETRY-2']);
    assert.throws(() => readSelection({ only: 'BAN' }, ['RETRY-2']), /to test among the selected tests\.$/);
  });

  test('end in an error where a name is unknown or nothing is left', () => {
    assert.throws(
      () => readSelection({ only: ['CREAT-4'] }),
      /--only .* not "CREAT-4"\. Did you mean "CREATE-4"\?/,
    );
    assert.throws(() => readSelection({ skip: [''] }), /--skip takes ids/);
    assert.throws(() => readSelection({ only: ['CLIENT-1'] }), /--only takes ids/);
    assert.throws(() => readSelection({ only: ['BAN'], skip: ['BAN'] }), /no requirement to test/);
    assert.throws(() => readSelection({ quick: true, only: ['RETRY'] }), /needs a 429/);
  });
});

const folder = temporaryFolder({ after });
process.env['XDG_STATE_HOME'] = join(folder, 'state');

/** A run against nothing, with keys of its own; of a whole day unless it is given other options. */
function toNowhere(name: string, options: RunOptions = { spendDay: true }) {
  const keys = { other: `other-${name}`, key: `key-${name}` };
  const run = settleRun(options, {
    plans: loadPlans(),
    furtherKeys: furtherKeysIn(keys),
    names: PARAMETERS,
  });
  const baseUrl = new URL('http://127.0.0.1:9/v1');
  const target = { baseUrl, keys, certificateAuthority: undefined, headers: [], proxied: false };
  const runsOf = (key: string) => userLedger().historyOf(key, baseUrl.origin).runs;
  const entered = (key: string) => runsOf(key).map(({ requests }) => requests);
  return { run, target, keys, runsOf, entered };
}

test('each key of a further plan costs one request more with other keys', () => {
  const withKeys = (further: Readonly<Record<string, string>>): number =>
    settleRun(
      {},
      { plans: loadPlans(), furtherKeys: furtherKeysIn({ key: 'key', plans: further }), names: PARAMETERS },
    ).plan.total.withOtherKeys;
  const all = [{}, { pro: 'a' }, { pro: 'a', business: 'b' }].map(withKeys);
  assert.deepEqual(all, [0, 1, 2]);
});

for (const [options, withKey, withOthers, seconds] of [
  [{}, 774, 1, 780],
  [{ spendDay: true }, 2739, 1, 3917.85],
] as const) {
  test(`a run with ${JSON.stringify(options)} enters the most that each of its keys may send, until the latest that it may last`, () => {
    const { run, target, keys, runsOf } = toNowhere(JSON.stringify(options), options);
    const now = Date.now();
    enterRun(assert.fail, run.plan, target, now);
    assert.deepEqual(
      [keys.key, keys.other].map((key) =>
        runsOf(key).map(({ requests, until }) => [requests, Math.round(until - now) / 1000]),
      ),
      [withKey, withOthers].map((requests) => [[requests, seconds]]),
    );
  });
}

test('a run of a whole day that is refused uses nothing of any key', () => {
  const { run, target, keys, entered } = toNowhere('used');
  const earlier = { key: keys.key, origin: target.baseUrl.origin, command: 'certify', requests: 5 };
  userLedger().enter({ ...earlier, until: Date.now() }, Date.now());
  assert.throws(() => enterRun(assert.fail, run.plan, target, Date.now()), { name: 'GuardError' });
  assert.deepEqual([entered(keys.other), entered(keys.key)], [[], [5, 0]]);
});

test('a run against the bundled server is not entered', () => {
  const { run, target, keys, entered } = toNowhere('bundled');
  enterRun(assert.fail, run.plan, { ...target, bundled: true }, Date.now());
  assert.deepEqual(entered(keys.key), []);
});

for (const [what, openapi, isInterrupted, name] of [
  ['whose OpenAPI document cannot be read', join(folder, 'none.yaml'), false, 'UserError'],
  ['that ends while this document is read', 'http://127.0.0.1:9/openapi.yaml', true, 'InterruptedError'],
] as const) {
  test(`a run ${what} is not entered`, async () => {
    const { run, target, keys, entered } = toNowhere(what, { spendDay: true, openapi });
    const path = join(folder, 'journal.ndjson');
    const signal = isInterrupted ? AbortSignal.abort() : new AbortController().signal;
    const recorded = recordToFile(run, target, { path, report: assert.fail, names: PARAMETERS, signal });
    await assert.rejects(recorded, { name });
    assert.deepEqual([entered(keys.other), entered(keys.key), existsSync(path)], [[], [], false]);
  });
}
