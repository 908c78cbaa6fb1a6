import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Limits } from '../spec/plans.ts';
import type { Candidate } from './admission.ts';
import { admit } from './admission.ts';
import { dayOf, refusalOf } from './day.ts';
import { GuardError } from './guard-error.ts';
import type { Beginning } from './ledger.ts';
import { Ledger } from './ledger.ts';
import { dayText } from './sentences.ts';

const NOW = Date.UTC(2026, 10, 21, 8, 30);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const ORIGIN = 'https://staging.example.com';
const free: Limits = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-ledger-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'state');
}

const run = (more: Partial<Beginning> = {}): Beginning => ({
  key: KEY,
  origin: ORIGIN,
  by: 'load at-limit',
  requests: 60,
  until: NOW + 60_000,
  ...more,
});

const textOf = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');

describe('the ledger', () => {
  test('knows nothing where there is no file', (t) => {
    assert.deepEqual(new Ledger(folderOf(t)).known(KEY, ORIGIN), { runs: [], damaged: 0 });
  });

  test('counts what a run may send until it says what it sent', (t) => {
    const folder = folderOf(t);
    const entry = new Ledger(folder).begin(run(), NOW);
    const known = () => new Ledger(folder).known(KEY, ORIGIN).runs;
    assert.deepEqual(known(), [{ run: entry.run, by: 'load at-limit', requests: 60, until: NOW + 60_000 }]);
    entry.settle(12, NOW + 5000);
    assert.deepEqual(known(), [{ run: entry.run, by: 'load at-limit', requests: 12, until: NOW + 5000 }]);
  });

  test('keeps keys and targets apart', (t) => {
    const ledger = new Ledger(folderOf(t));
    ledger.begin(run(), NOW);
    assert.deepEqual(ledger.known(`${KEY}x`, ORIGIN).runs, []);
    assert.deepEqual(ledger.known(KEY, 'https://api.example.com').runs, []);
  });

  test('holds neither a key nor anything by which two runs of a key could be told to be one’s', (t) => {
    const folder = folderOf(t);
    const ledger = new Ledger(folder);
    for (let n = 0; n < 2; n += 1) ledger.begin(run(), NOW);
    const text = textOf(folder);
    assert.ok(!text.includes(KEY) && !text.includes(Buffer.from(KEY).toString('base64').slice(0, 20)));
    const hashes = [...text.matchAll(/"key":"([0-9a-f]{64})"/g)].map(([, hash]) => hash);
    assert.equal(new Set(hashes).size, 2);
  });

  test('passes over damage, says how much, and loses no line that follows it', (t) => {
    const folder = folderOf(t);
    const ledger = new Ledger(folder);
    ledger.begin(run({ by: 'first' }), NOW);
    const [name = ''] = readdirSync(folder);
    appendFileSync(join(folder, name), '\u0000\u0000{"run":"half\n[]\n{"run":1}\n{"run":"cut off');
    ledger.begin(run({ by: 'second' }), NOW);
    const { runs, damaged } = ledger.known(KEY, ORIGIN);
    assert.deepEqual(
      runs.map(({ by }) => by),
      ['first', 'second'],
    );
    assert.equal(damaged, 4);
  });

  test('takes a line whose end no calendar knows for damage', (t) => {
    const folder = folderOf(t);
    const ledger = new Ledger(folder);
    ledger.begin(run(), NOW);
    const [name = ''] = readdirSync(folder);
    const line = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const until of [1e300, 9e15, -1])
      appendFileSync(join(folder, name), `${JSON.stringify({ ...line, run: String(until), until })}\n`);
    const { runs, damaged } = ledger.known(KEY, ORIGIN);
    assert.deepEqual([runs.length, damaged], [1, 3]);
    assert.match(dayText(dayOf(runs, free, NOW), free, NOW), /60 of 1,000 used/);
  });

  test('a folder that the kernel refuses is one sentence, at once', {
    skip: !existsSync('/proc/self'),
  }, () => {
    const script = `
      const { Ledger } = await import(${JSON.stringify(fileURLToPath(new URL('./ledger.ts', import.meta.url)))});
      new Ledger('/proc/nowhere/petstore-conformance').begin({ key: 'k', origin: 'o', by: 'b', requests: 2, until: 1 }, 1);`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { encoding: 'utf8', timeout: 30_000 },
    );
    assert.equal(status, 1, 'it ended by itself');
    assert.match(stderr, /cannot be written down in \/proc\/nowhere/);
  });

  test('a run that ends after midnight is settled where it began', (t) => {
    const folder = folderOf(t);
    const evening = Date.UTC(2026, 10, 21, 23, 59);
    const entry = new Ledger(folder).begin(run({ until: evening + HOUR }), evening);
    entry.settle(7, evening + HOUR);
    assert.deepEqual(
      new Ledger(folder).known(KEY, ORIGIN).runs.map(({ requests }) => requests),
      [7],
    );
    assert.deepEqual(readdirSync(folder), ['used-2026-11-21.ndjson']);
  });

  test('stays small: days that cannot count any more are dropped, and nothing else', (t) => {
    const folder = folderOf(t);
    const ledger = new Ledger(folder);
    for (let day = 0; day < 30; day += 1) ledger.begin(run(), NOW + day * DAY);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    ledger.begin(run(), NOW + 30 * DAY);
    const names = readdirSync(folder);
    assert.equal(names.filter((name) => name.startsWith('used-')).length, 9);
    assert.ok(names.includes('notes.txt') && names.includes('used-2026-12-21.ndjson'));
  });

  test('what cannot be written is one sentence', (t) => {
    const folder = folderOf(t);
    writeFileSync(folder, 'a file where the folder belongs');
    assert.throws(() => new Ledger(folder).begin(run(), NOW), GuardError);
    assert.throws(() => new Ledger(folder).known(KEY, ORIGIN), GuardError);
  });

  test('four processes that write at once lose no line', async (t) => {
    const folder = folderOf(t);
    const script = `
      const { Ledger } = await import(${JSON.stringify(fileURLToPath(new URL('./ledger.ts', import.meta.url)))});
      const ledger = new Ledger(process.argv[1]);
      for (let n = 0; n < 100; n += 1) {
        const entry = ledger.begin({ key: 'k', origin: 'o', by: 'b', requests: 2, until: ${NOW} }, ${NOW});
        entry.settle(1, ${NOW});
      }`;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, folder], {
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'close'))[0]));
    assert.deepEqual(codes, [0, 0, 0, 0]);
    const { runs, damaged } = new Ledger(folder).known('k', 'o');
    assert.equal(damaged, 0);
    assert.equal(runs.length, 400);
    assert.ok(runs.every(({ requests }) => requests === 1));
  });
});

describe('the day', () => {
  const used = (requests: number, hoursAgo: number) => ({
    run: `${hoursAgo}`,
    by: 'load',
    requests,
    until: NOW - hoursAgo * HOUR,
  });

  test('counts what was used within the last day, and only that', () => {
    const runs = [used(500, 25), used(100, 24), used(60, 23), used(40, 1), used(0, 0)];
    assert.deepEqual(dayOf(runs, free, NOW), { used: 100, left: 800, freeAt: NOW + 23 * HOUR });
    assert.deepEqual(dayOf([used(500, 25)], free, NOW), { used: 0, left: 900, freeAt: undefined });
  });

  const rows: readonly [
    runs: ReturnType<typeof used>[],
    requests: number,
    spendDay: boolean,
    says: string,
  ][] = [
    [[], 900, false, 'may'],
    [[], 901, false, 'never fits'],
    [[], 1003, true, 'may'],
    [[used(1, 2)], 1003, true, 'touched in 22 h'],
    [[used(400, 3), used(400, 2)], 100, false, 'may'],
    [[used(400, 3), used(400, 2)], 101, false, 'used up in 21 h'],
    [[used(400, 2), used(400, 3)], 501, false, 'used up in 22 h'],
    [[used(2000, 5)], 1, false, 'used up in 19 h'],
    [[used(800, 3)], 150, true, 'used up in 21 h'],
  ];
  for (const [runs, requests, spendDay, says] of rows) {
    const had = runs.map((one) => one.requests).join(' and ') || 'nothing';
    test(`after ${had}, ${requests}${spendDay ? ' with leave' : ''}: ${says}`, () => {
      const limited = refusalOf(runs, { requests, spendDay }, free, NOW);
      const freeAt = limited !== undefined && 'freeAt' in limited ? limited.freeAt : undefined;
      const when = freeAt === undefined ? '' : ` in ${(freeAt - NOW) / HOUR} h`;
      assert.equal(`${limited?.kind ?? 'may'}${when}`, says);
    });
  }

  test('a short day is over soon', () => {
    const short = { ...free, daySeconds: 120 };
    const runs = [{ run: 'a', by: 'load', requests: 900, until: NOW - 60_000 }];
    assert.equal(dayOf(runs, short, NOW).freeAt, NOW + 60_000);
    assert.equal(dayOf(runs, short, NOW + 60_000).used, 0);
  });

  test('people read what is used, what is left and when it is free', () => {
    assert.equal(
      dayText(dayOf([used(109, 1)], free, NOW), free, NOW),
      '109 of 1,000 used within a day, as far as this machine knows; 791 left below nine tenths, all of it again in 23 h 0 min (2026-11-22 07:30 UTC)',
    );
  });
});

describe('admission', () => {
  const candidate = (more: Partial<Candidate> = {}): Candidate => ({
    uses: [{ alias: 'key', key: KEY, requests: 500 }],
    origin: ORIGIN,
    by: 'load soak',
    limits: free,
    spendDay: false,
    seconds: 60,
    ...more,
  });

  test('a run is entered, and what it did not send is given back', (t) => {
    const folder = folderOf(t);
    const ledger = new Ledger(folder);
    const admission = admit(ledger, candidate(), NOW);
    assert.throws(() => admit(ledger, candidate(), NOW), {
      name: 'GuardError',
      message: `The key has used 500 of its 1,000 requests a day at this target, as the ledger in ${folder} has it, 400 are left below nine tenths, and this run would send 500: there is room for it in 24 h 1 min (2026-11-22 08:31 UTC).`,
    });
    admission.settle({ key: 10 }, NOW);
    admit(ledger, candidate(), NOW).settle({}, NOW);
    assert.equal(dayOf(ledger.known(KEY, ORIGIN).runs, free, NOW).used, 10);
  });

  test('a run that one of its keys cannot make is not entered for the others either', (t) => {
    const ledger = new Ledger(folderOf(t));
    const uses = [
      { alias: 'key', key: KEY, requests: 60 },
      { alias: 'fleet-2', key: 'another', requests: 901 },
    ] as const;
    assert.throws(() => admit(ledger, candidate({ uses }), NOW), /^GuardError: Key 2 of the fleet may send/);
    assert.equal(dayOf(ledger.known(KEY, ORIGIN).runs, free, NOW).used, 0);
    assert.equal(dayOf(ledger.known('another', ORIGIN).runs, free, NOW).used, 0);
  });

  test('of two runs that entered at the same moment, the first finds room and the second does not', (t) => {
    const folder = folderOf(t);
    const ledger = new Ledger(folder);
    // The other process has entered, and has not looked yet.
    const first = ledger.begin(run({ requests: 500 }), NOW);
    assert.throws(() => admit(ledger, candidate(), NOW), GuardError);
    const runs = ledger.known(KEY, ORIGIN).runs;
    assert.equal(runs[0]?.run, first.run);
    assert.equal(refusalOf(runs.slice(0, 0), { requests: 500, spendDay: false }, free, NOW), undefined);
  });

  test('a killed run keeps what it may have sent', (t) => {
    const folder = folderOf(t);
    admit(new Ledger(folder), candidate(), NOW);
    assert.equal(dayOf(new Ledger(folder).known(KEY, ORIGIN).runs, free, NOW + HOUR).used, 500);
  });
});
