import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import type { Limits } from '../../spec/plans.ts';
import type { RunDemand } from './admission.ts';
import { admissionObstacle, admitRun, obstacleToFullDay } from './admission.ts';
import { dayUsageOf, dayUsageText, possibleFrom } from './day-usage.ts';
import type { KeyHistory, StartingRun } from './ledger.ts';
import { GuardError, UsageLedger } from './ledger.ts';

const NOW = Date.UTC(2026, 10, 21, 8, 30);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const ORIGIN = 'https://staging.example.com';
const free: Limits = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

const folderOf = (t: TestContext): string => join(temporaryFolder(t), 'state');
const ledgerOf = (t: TestContext): UsageLedger => new UsageLedger(folderOf(t));

const run = (more: Partial<StartingRun> = {}): StartingRun => ({
  key: KEY,
  origin: ORIGIN,
  command: 'load at-limit',
  requests: 60,
  until: NOW + 60_000,
  ...more,
});

/** A program of another process that writes the ledger. */
const RUN = ['--import', 'tsx', '--input-type=module', '-e'] as const;
const IMPORT = `const { UsageLedger } = await import(${JSON.stringify(fileURLToPath(new URL('./ledger.ts', import.meta.url)))});`;

const textOf = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');

describe('the usage ledger', () => {
  test('is empty where there is no file', (t) => {
    assert.deepEqual(ledgerOf(t).historyOf(KEY, ORIGIN), { runs: [], damagedLines: 0 });
  });

  test('counts what a run may send until the run reports what it sent', (t) => {
    const folder = folderOf(t);
    const settle = new UsageLedger(folder).enter(run(), NOW);
    const known = () =>
      new UsageLedger(folder).historyOf(KEY, ORIGIN).runs.map(({ requests, until }) => [requests, until]);
    assert.deepEqual(known(), [[60, NOW + 60_000]]);
    settle(12, NOW + 5000);
    assert.deepEqual(known(), [[12, NOW + 5000]]);
  });

  test('keeps keys and targets apart', (t) => {
    const ledger = ledgerOf(t);
    ledger.enter(run(), NOW);
    assert.deepEqual(ledger.historyOf(`${KEY}x`, ORIGIN).runs, []);
    assert.deepEqual(ledger.historyOf(KEY, 'https://api.example.com').runs, []);
  });

  test('holds no key, and nothing that links two runs of one key', (t) => {
    const folder = folderOf(t);
    const ledger = new UsageLedger(folder);
    for (let n = 0; n < 2; n += 1) ledger.enter(run(), NOW);
    const text = textOf(folder);
    assert.ok(!text.includes(KEY) && !text.includes(Buffer.from(KEY).toString('base64').slice(0, 20)));
    const hashes = [...text.matchAll(/"key":"([0-9a-f]{64})"/g)].map(([, hash]) => hash);
    assert.equal(new Set(hashes).size, 2);
  });

  test('skips damaged lines, counts them, and loses no line after them', (t) => {
    const folder = folderOf(t);
    const ledger = new UsageLedger(folder);
    ledger.enter(run({ command: 'first' }), NOW);
    const [name = ''] = readdirSync(folder);
    appendFileSync(join(folder, name), '\u0000\u0000{"run":"half\n[]\n{"run":1}\n{"run":"cut off');
    ledger.enter(run({ command: 'second' }), NOW);
    const { runs, damagedLines } = ledger.historyOf(KEY, ORIGIN);
    assert.deepEqual([...runs.map(({ command }) => command), damagedLines], ['first', 'second', 4]);
  });

  test('takes a line with an impossible end for damage', (t) => {
    const folder = folderOf(t);
    const ledger = new UsageLedger(folder);
    ledger.enter(run(), NOW);
    const [name = ''] = readdirSync(folder);
    const line = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const until of [1e300, 9e15, -1])
      appendFileSync(join(folder, name), `${JSON.stringify({ ...line, run: String(until), until })}\n`);
    const { runs, damagedLines } = ledger.historyOf(KEY, ORIGIN);
    assert.deepEqual([runs.length, damagedLines], [1, 3]);
    assert.match(dayUsageText(dayUsageOf(runs, free, NOW), free, NOW), /60 of 1,000 requests used/);
  });

  const skip = !existsSync('/proc/self');
  test('a folder that the kernel denies is one sentence, at once', { skip }, () => {
    const script = `${IMPORT}
      new UsageLedger('/proc/nowhere/petstore-conformance').enter({ key: 'k', origin: 'o', command: 'b', requests: 2, until: 1 }, 1);`;
    const ended = spawnSync(process.execPath, [...RUN, script], { encoding: 'utf8', timeout: 30_000 });
    const { status, stderr } = ended;
    assert.equal(status, 1, 'it ended on its own');
    assert.match(stderr, /The usage ledger in \/proc\/nowhere.* cannot be written/);
  });

  test('a run that ends after midnight is settled in the file in which it started', (t) => {
    const folder = folderOf(t);
    const evening = Date.UTC(2026, 10, 21, 23, 59);
    new UsageLedger(folder).enter(run({ until: evening + HOUR }), evening)(7, evening + HOUR);
    assert.equal(new UsageLedger(folder).historyOf(KEY, ORIGIN).runs[0]?.requests, 7);
    assert.deepEqual(readdirSync(folder), ['used-2026-11-21.ndjson']);
  });

  test('stays small: files that no longer count are removed, and nothing else', (t) => {
    const folder = folderOf(t);
    const ledger = new UsageLedger(folder);
    for (let day = 0; day < 30; day += 1) ledger.enter(run(), NOW + day * DAY);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    ledger.enter(run(), NOW + 30 * DAY);
    const names = readdirSync(folder);
    assert.equal(names.filter((name) => name.startsWith('used-')).length, 9);
    assert.ok(names.includes('notes.txt') && names.includes('used-2026-12-21.ndjson'));
  });

  test('a ledger that cannot be written is one sentence', (t) => {
    const folder = folderOf(t);
    writeFileSync(folder, 'a file where the folder belongs');
    assert.throws(() => new UsageLedger(folder).enter(run(), NOW), GuardError);
    assert.throws(() => new UsageLedger(folder).historyOf(KEY, ORIGIN), GuardError);
  });

  test('four processes that write at the same time lose no line', async (t) => {
    const folder = folderOf(t);
    const script = `${IMPORT}
      const ledger = new UsageLedger(process.argv[1]);
      for (let n = 0; n < 100; n += 1) {
        ledger.enter({ key: 'k', origin: 'o', command: 'b', requests: 2, until: ${NOW} }, ${NOW})(1, ${NOW});
      }`;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [...RUN, script, folder], { stdio: ['ignore', 'ignore', 'inherit'] }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'close'))[0]));
    assert.deepEqual(codes, [0, 0, 0, 0]);
    const { runs, damagedLines } = new UsageLedger(folder).historyOf('k', 'o');
    assert.equal(damagedLines, 0);
    assert.equal(runs.length, 400);
    assert.ok(runs.every(({ requests }) => requests === 1));
  });
});

describe('admission', () => {
  const demand = (more: Partial<RunDemand> = {}): RunDemand => ({
    keys: [{ alias: 'key', label: 'The key', key: KEY, requests: 500, limits: free }],
    origin: ORIGIN,
    command: 'load soak',
    fullDayAllowed: false,
    maximumSeconds: 60,
    ...more,
  });

  test('a run is recorded, and what it did not send is released', (t) => {
    const folder = folderOf(t);
    const ledger = new UsageLedger(folder);
    const settle = admitRun(ledger, demand(), NOW);
    assert.throws(() => admitRun(ledger, demand(), NOW), {
      name: 'GuardError',
      message: `The key has used 500 of its 1,000 requests a day at this target (ledger: ${folder}). Runs may use nine tenths of the quota: 400 are left, and this run would send 500. It can start in 24 h 1 min (2026-11-22 08:31 UTC).`,
    });
    settle({ key: 10 }, NOW);
    admitRun(ledger, demand(), NOW)({}, NOW);
    assert.equal(dayUsageOf(ledger.historyOf(KEY, ORIGIN).runs, free, NOW).used, 10);
  });

  test('a run that one of its keys cannot make is recorded for no other key either', (t) => {
    const ledger = ledgerOf(t);
    const keys = [
      { alias: 'key', label: 'The key', key: KEY, requests: 60, limits: free },
      { alias: 'fleet-2', label: 'Key 2 of the fleet', key: 'another', requests: 901, limits: free },
    ] as const;
    assert.throws(() => admitRun(ledger, demand({ keys }), NOW), /^GuardError: Key 2 of the fleet may send/);
    assert.equal(dayUsageOf(ledger.historyOf(KEY, ORIGIN).runs, free, NOW).used, 0);
    assert.equal(dayUsageOf(ledger.historyOf('another', ORIGIN).runs, free, NOW).used, 0);
  });

  test('of two runs recorded at the same moment, the first is admitted and the second is not', (t) => {
    const ledger = ledgerOf(t);
    // The other process has recorded its run, and has not checked yet.
    ledger.enter(run({ requests: 500 }), NOW);
    assert.throws(() => admitRun(ledger, demand(), NOW), GuardError);
  });
});

describe('a run that uses a whole day', () => {
  const admitted = (ledger: UsageLedger, now = NOW) =>
    ledger.enter(run({ requests: 2559, until: NOW + HOUR }), now, (history) =>
      obstacleToFullDay(history, { limits: free, ledger: ledger.folder }, now),
    );

  test('is admitted where nothing was used within the last day, and recorded', (t) => {
    const ledger = ledgerOf(t);
    ledger.enter(run({ requests: 62, until: NOW - DAY }), NOW - DAY - HOUR);
    ledger.enter(run({ origin: 'https://other.example.com', until: NOW }), NOW);
    ledger.enter(run(), NOW)(0, NOW);
    admitted(ledger)(1002, NOW);
    const { runs } = ledger.historyOf(KEY, ORIGIN);
    const counts = runs.map(({ requests }) => requests);
    assert.deepEqual(counts, [62, 0, 1002]);
  });

  test('is not admitted after a single request, and uses nothing', (t) => {
    const ledger = ledgerOf(t);
    ledger.enter(run({ requests: 1, until: NOW - HOUR }), NOW - HOUR);
    assert.throws(() => admitted(ledger), {
      name: 'GuardError',
      message: `A run that uses the whole daily quota needs a key that was not used for a day, and the key sent 1 request to this target within the last day (ledger: ${ledger.folder}). It can start in 23 h 0 min (2026-11-22 07:30 UTC), or now with another key.`,
    });
    assert.equal(ledger.historyOf(KEY, ORIGIN).runs.at(-1)?.requests, 0);
  });

  test('is not admitted beside another one that has not ended', (t) => {
    const ledger = ledgerOf(t);
    admitted(ledger);
    assert.throws(() => admitted(ledger, NOW + 1), GuardError);
  });

  test('is not admitted where a line of the ledger cannot be read', (t) => {
    const ledger = ledgerOf(t);
    ledger.enter(run({ key: 'another' }), NOW);
    const [name = ''] = readdirSync(ledger.folder);
    appendFileSync(join(ledger.folder, name), '{"run":"half');
    assert.throws(() => admitted(ledger), /the ledger .* has 1 line that cannot be read/);
  });
});

describe('what a key has used today', () => {
  const used = (requests: number, hoursAgo: number) => ({
    run: `${hoursAgo}`,
    command: 'load',
    requests,
    until: NOW - hoursAgo * HOUR,
  });

  test('counts what was used within the last day, and nothing older', () => {
    const runs = [used(500, 25), used(100, 24), used(60, 23), used(40, 1), used(0, 0)];
    assert.deepEqual(dayUsageOf(runs, free, NOW), { used: 100, available: 800, fullAt: NOW + 23 * HOUR });
    assert.deepEqual(dayUsageOf([used(500, 25)], free, NOW), { used: 0, available: 900, fullAt: undefined });
  });

  const rows: readonly [runs: ReturnType<typeof used>[], requests: number, inHours: number][] = [
    [[], 900, 0],
    [[], 901, Infinity],
    [[used(400, 3), used(400, 2)], 100, 0],
    [[used(400, 3), used(400, 2)], 101, 21],
    [[used(400, 2), used(400, 3)], 501, 22],
    [[used(2000, 5)], 1, 19],
    [[used(800, 3)], 150, 21],
  ];
  for (const [runs, requests, inHours] of rows) {
    const had = runs.map((one) => one.requests).join(' and ') || 'nothing';
    test(`after ${had}, ${requests} can start in ${inHours} h`, () => {
      assert.equal((possibleFrom(runs, requests, free, NOW) - NOW) / HOUR, inHours);
    });
  }

  test('a run that may use the whole day needs an unused one', () => {
    const demanded = { alias: 'a', label: 'Key 2 of the fleet', key: KEY, requests: 1003, limits: free };
    const rules = { fullDayAllowed: true, ledger: '/ledger' };
    const obstacle = (...runs: KeyHistory['runs']) =>
      admissionObstacle({ runs, damagedLines: 0 }, demanded, rules, NOW);
    assert.equal(obstacle(), undefined);
    const inTheWay = /and key 2 of the fleet sent 1 request to this target .* It can start in 22 h/;
    assert.match(obstacle(used(1, 2)) ?? '', inTheWay);
  });

  test('a short day ends soon', () => {
    const short = { ...free, daySeconds: 120 };
    const runs = [{ run: 'a', command: 'load', requests: 900, until: NOW - 60_000 }];
    assert.equal(dayUsageOf(runs, short, NOW).fullAt, NOW + 60_000);
    assert.equal(dayUsageOf(runs, short, NOW + 60_000).used, 0);
  });

  test('the text says what is used, what is left and when all is available', () => {
    assert.equal(
      dayUsageText(dayUsageOf([used(109, 1)], free, NOW), free, NOW),
      '109 of 1,000 requests used in the last day, as recorded on this machine; 791 more fit into nine tenths of the quota; the full allowance is available in 23 h 0 min (2026-11-22 07:30 UTC)',
    );
  });
});
