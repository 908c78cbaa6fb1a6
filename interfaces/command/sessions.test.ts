import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { commandIn, runHere, wordsOf } from '../../evaluation/testing/cli/command.ts';
import { selfSigned } from '../../evaluation/testing/cli/target.ts';
import { conforming } from '../../evaluation/testing/reports/records.ts';
import { assertPage } from '../../evaluation/testing/tools/page.ts';

// Two pages have command lines, as a shell reads them, and below each what the command prints, as people read it. A new
// line is written into the page; WRITE_PAGES=1 writes what follows it.

/** In a command line, `{key}` is this key, and `{name}` is it as a name of a variable: neither may be repeated. The key under test is set where a line does not say otherwise. */
const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const NAME = KEY.replace('-', '_');

const TARGETS = {
  staging: {
    url: 'https://staging.example.com/v1',
    plan: 'pro',
    keys: { key: 'PETSTORE_STAGING_KEY', other: 'PETSTORE_SECOND_KEY', fleet: 'PETSTORE_FLEET' },
    headers: { 'X-Team': 'pets' },
    allowLoad: 'staging.example.com',
  },
  production: { url: 'https://api.example.com/v1' },
};

const targetWith = (entries: object) => ({ targets: { one: { url: 'https://h.example/v1', ...entries } } });

const entry = (id: string, expires = '2999-12-31') => ({ id, reason: 'PET-7', owner: 'Team A', expires });
const baseline = (...violations: readonly object[]) => ({ baselineVersion: 1, violations });

/** The files of mistakes, by their paths. */
const FILES: Readonly<Record<string, unknown>> = {
  'trailing-comma.json': '{\n  "target": "x",\n}',
  'unknown-entry.json': { targts: {} },
  'no-address.json': { targets: { one: {} } },
  'key-in-place-of-a-variable.json': targetWith({ keys: { key: KEY } }),
  'key-that-could-be-a-variable.json': targetWith({ keys: { key: NAME } }),
  'variable-of-another-program.json': targetWith({ keys: { key: 'AWS_SECRET_ACCESS_KEY' } }),
  'header-of-another-program.json': targetWith({ headerEnv: { 'X-Team': 'GITHUB_TOKEN' } }),
  'folder-elsewhere.json': { certify: { out: '../elsewhere' } },
  'absolute-path.json': targetWith({ certKey: '/etc/hosts' }),
  'elsewhere/missing-plans.json': targetWith({ plans: 'missing.json' }),
  'number-as-text.json': { load: { latencyMs: '5' } },
  'permission-without-a-host.json': targetWith({ allowLoad: true }),
  'several-targets.json': { targets: TARGETS },
  'missing-target.json': { target: 'stagin', targets: TARGETS },
  file: 'some text',
  'broken.json': `{ "minuteSeconds": ${KEY} }`,
  'short-day.json': { minuteSeconds: 60, daySeconds: 120, plans: { free: { perMinute: 60, perDay: 100 } } },
  'baseline/no-reason.json': baseline({ id: 'RETRY-1' }),
  'baseline/unknown.json': baseline(entry('RETRY-11')),
  'baseline/twice.json': baseline(entry('RETRY-1'), entry('RETRY-1')),
  'baseline/soon.json': baseline(entry('RETRY-1', 'soon')),
  'thresholds/p98.json': { thresholds: [{ p98: 5 }] },
  'thresholds/soaks.json': { thresholds: [{ profile: 'soaks', p99: 5 }] },
  'keys/twice.csv': `${KEY}\npk-third\n${KEY}\n`,
  'keys/words.csv': `${KEY} and more\n`,
  'keys/none.csv': '# none\n',
  'keys/gold.csv': `${KEY},gold\n`,
  'keys/free.csv': `${KEY},free\npk-third,free\n`,
  'ca.pem': selfSigned.cert,
  'own/key.pem': selfSigned.key,
  'other.pem': generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }),
  'report.json': conforming(),
  'strange.json': { ...conforming(), schemaVersion: 1 },
  'other.json': { outcome: 'conforms' },
  'moved.json': { targets: { one: { ...TARGETS.staging, url: TARGETS.production.url } } },
  'forbidden.json': { targets: { one: { ...TARGETS.staging, allowLoad: false } } },
};

/** The files of dry runs. */
const DRY_RUN_FILES: Readonly<Record<string, unknown>> = {
  'petstore-conformance.json': {
    target: 'staging',
    targets: TARGETS,
    certify: { only: ['CREATE-4'], out: 'results' },
    load: { latencyMs: 900 },
    thresholds: [{ profile: 'at-limit', operation: 'list', p99: 500 }],
    'certify-client': { command: ['python3', 'client.py'], only: ['CLIENT-1'] },
  },
  'forbidden.json': FILES['forbidden.json'],
  // With the line ends and the byte order mark of Windows.
  'windows.json': `\uFEFF${JSON.stringify({ targets: { one: TARGETS.production } }, null, 2)}\r\n`.replaceAll(
    /\r?\n/g,
    '\r\n',
  ),
  'plans.json': {
    minuteSeconds: 60,
    daySeconds: 86_400,
    plans: { enterprise: { perMinute: 5000, perDay: 2_000_000 } },
  },
  'short.json': { minuteSeconds: 3, daySeconds: 86_400, plans: { pro: { perMinute: 300, perDay: 10_000 } } },
  'keys.csv': `key,plan\n${KEY},free\npk-second,pro\n`,
};

/** The words of a line and the variables before them; `NAME=unset` unsets a variable. */
function readLine(line: string) {
  const all = wordsOf(line).map((word) =>
    word.replace('{key}', KEY).replace('{name}', NAME).replaceAll('\\r\\n', '\r\n'),
  );
  const words = all.findIndex((word) => !/^[A-Z0-9_]+=/.test(word));
  const given = new Map([['PETSTORE_API_KEY', KEY]]);
  for (const [, name = '', value = ''] of all
    .slice(0, words)
    .join('\n')
    .matchAll(/^(\w+)=(.*)$/gm))
    given.set(name, value);
  return {
    args: all.slice(words),
    env: Object.fromEntries([...given].filter(([, value]) => value !== 'unset')),
  };
}

/** Runs each command line of a page in a folder with these files, and states it anew. @param printed what it states of a run. */
async function assertSessions(
  t: TestContext,
  path: string,
  files: Readonly<Record<string, unknown>>,
  printed: (line: string, ended: Awaited<ReturnType<typeof runHere>>) => string,
) {
  const { folder, write, names } = commandIn(t);
  for (const [name, content] of Object.entries(files)) write(name, content);
  let page = '';
  for (const [line] of readFileSync(path, 'utf8').matchAll(/^\S.*/gm)) {
    const { args, env } = readLine(line);
    const ended = await runHere(args, { cwd: folder, env });
    for (const secret of [KEY, NAME]) assert.ok(!`${ended.out}${ended.err}`.includes(secret), line);
    page += `${line}\n${printed(line, ended).replaceAll(/^(?=.)/gm, '  ')}`;
  }
  assertPage(path, page);
  return names();
}

test('a mistake gets one sentence and exit code 2, and no key is repeated', async (t) => {
  await assertSessions(t, 'interfaces/command/mistakes.txt', FILES, (line, { code, out, err }) => {
    assert.equal(code, 2, `${line}: ${out}${err}`);
    assert.match(out, /^(?:Client .*)?$/s, `${line}: nothing was sent`);
    const sentence = err.replace(/^Configuration: .*\n/, '');
    assert.match(sentence, /^petstore-conformance: [^\n]+[.?]\n$/, `${line}: one line, one sentence`);
    assert.doesNotMatch(err, /\n {4}at |node:internal|Unexpected error/, line);
    return sentence.replace('petstore-conformance: ', '').replace(/all \d+/, 'all');
  });
});

test('a dry run states what would be sent, and sends and writes nothing', async (t) => {
  const page = 'interfaces/command/dry-runs.txt';
  const left = await assertSessions(t, page, DRY_RUN_FILES, (line, { code, out, err }) => {
    assert.equal(code, 0, `${line}: ${out}${err}`);
    return `${err}${out}\n`
      .replaceAll(tmpdir(), '~')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d-]+Z/g, 'TIME')
      .replaceAll(/(?<=pc-|TIME-)[a-z0-9]{8}\b/g, 'TAG');
  });
  assert.deepEqual(left, Object.keys(DRY_RUN_FILES).sort());
});
