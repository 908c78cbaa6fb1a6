import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { certificate, privateKey } from '../../evaluation/testing/cli/attested.ts';
import { runHere } from '../../evaluation/testing/cli/command.ts';
import { conforming } from '../../evaluation/testing/reports/records.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { assertPage } from '../../evaluation/testing/tools/page.ts';

// Every mistake that a user can make on the command line, in a variable or in a file gets one sentence and exit code 2.
// The page has the sentences, as people read them.

const PAGE = 'interfaces/command/mistakes.txt';

/** In a command line, `{key}` is this key, and `{name}` is it as a name of a variable: neither may be repeated. */
const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const NAME = KEY.replace('-', '_');

const TARGETS = {
  staging: { url: 'https://staging.example.com/v1', allowLoad: 'staging.example.com' },
  production: { url: 'https://api.example.com/v1' },
};

const targetWith = (entries: object) => ({ targets: { one: { url: 'https://h.example/v1', ...entries } } });

const entry = (id: string, expires = '2999-12-31') => ({ id, reason: 'PET-7', owner: 'Team A', expires });
const baseline = (...violations: readonly object[]) => ({ baselineVersion: 1, violations });

/** The configuration files, each named by its mistake. */
const CONFIGURATIONS: Readonly<Record<string, unknown>> = {
  'trailing-comma': '{\n  "target": "x",\n}',
  'unknown-entry': { targts: {} },
  'no-address': { targets: { one: {} } },
  'key-in-place-of-a-variable': targetWith({ keys: { key: KEY } }),
  'key-that-could-be-a-variable': targetWith({ keys: { key: NAME } }),
  'variable-of-another-program': targetWith({ keys: { key: 'AWS_SECRET_ACCESS_KEY' } }),
  'header-of-another-program': targetWith({ headerEnv: { 'X-Team': 'GITHUB_TOKEN' } }),
  'folder-elsewhere': { certify: { out: '../elsewhere' } },
  'absolute-path': targetWith({ certKey: '/etc/hosts' }),
  'number-as-text': { load: { latencyMs: '5' } },
  'permission-without-a-host': targetWith({ allowLoad: true }),
  'several-targets': { targets: TARGETS },
  'missing-target': { target: 'stagin', targets: TARGETS },
};

/** The other files, by their paths. */
const FILES: Readonly<Record<string, unknown>> = {
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
  'ca.pem': certificate,
  'own/key.pem': privateKey,
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

const TARGET = 'http://127.0.0.1:1/v1';
const STAGING = 'https://staging.example.com/v1';
const MANIFEST = `--target ${STAGING} --samples-claim samples --out manifests`;

/**
 * Ends of command lines by their beginnings, as a shell reads them, but for `NAME=unset`. Without another value, the key
 * under test is set.
 */
const MISTAKES: Readonly<Record<string, readonly string[]>> = {
  '': ['certfy', 'completion tcsh', 'load', 'judge', 'compare report.json'],
  explain: ['RETYR-1', 'NEIGHBOR', 'THRESHOLD-0'],
  certify: [
    ...['--tarrget x', 'http://h/v1', '--target', "--target ''", '--target localhost:8080/v1'],
    ...['--target ftp://h/v1', '--target http://me:{key}@127.0.0.1/v1', '--target http://h/v1?key={key}'],
    ...['--target http://h/v1#{key}', '--api-key-env A', '--variant retry-after-as-dato', '--fault list-207'],
    ...['--plan fre', '--plan enterprise', '--plans nowhere', '--plans broken.json', '--out file/report'],
    ...['--out /proc/report/1', '--openapi nowhere.yaml', '--quick --thorough', '--config absent.json'],
    ...['--baseline broken.json', '--baseline baseline/no-reason.json', '--baseline baseline/unknown.json'],
    ...['--baseline baseline/twice.json', '--baseline baseline/soon.json'],
  ],
  [`certify --target ${TARGET}`]: [
    ...['--name-pattern Category', '--api-key-env {key}', "--disposable-key-env ''", '--api-key-env {name}'],
    ...['--api-key {key}', '--api-key={key}', '--auth={key}', '--plan-key pro={key}', '--plan-key {key}'],
    ...['--api-key-env A --api-key-file b', '--api-key-file nowhere', '--fault list-206', '--ca nowhere'],
    ...['--ca file', '--header {key}', "--header 'Authorization: {key}'", "--header 'X-A: b\\r\\nX-C: d'"],
    ...['--header-env X-Gateway=NO_SUCH', '--cert ca.pem', '--cert-key own/key.pem'],
    ...['--cert none.pem --cert-key own/key.pem', '--cert own/key.pem --cert-key own/key.pem'],
    ...['--cert ca.pem --cert-key ca.pem', '--cert ca.pem --cert-key other.pem'],
    ...['--spend-day --plan business', '--spend-day --plans short-day.json'],
  ],
  [`PETSTORE_API_KEY=unset certify --target ${TARGET}`]: ['', '--api-key-env PETSTORE_API_KEY'],
  [`PETSTORE_API_KEY= certify --target ${TARGET}`]: [''],
  [`PETSTORE_API_KEY='{key} ' certify --target ${TARGET}`]: [''],
  [`PETSTORE_API_KEY=schlüssel certify --target ${TARGET}`]: [''],
  [`PETSTORE_OTHER_KEY={key} certify --target ${TARGET}`]: [''],
  [`FURTHER_KEY=key-x1 certify --target ${TARGET}`]: ['--plan-key por=FURTHER_KEY'],
  'HTTPS_PROXY=me:{key} certify --target http://petstore.invalid/v1': [''],
  'certify --dry-run --config': Object.keys(CONFIGURATIONS).map((name) => `${name}.json`),
  'certify-client': [
    ...['--dry-run -- no-such-client', 'sh client.sh --dry-run', '--only CLIENT-11', '--jobs many'],
    ...['--listen 127.0.0.1:80', '--listen http://x', '--listen 192.0.2.1', '--serve -- node'],
    '--template cobol',
  ],
  serve: [
    ...['--fault list-206 --variant retry-after-as-date', '--algorithm gcr', '--port 70000', '--ban 5'],
    '--host 203.0.113.1',
  ],
  judge: ['nowhere', 'broken.json'],
  'compare report.json': ['nowhere', 'file', 'strange.json', 'other.json', 'report.json --tolerance ten'],
  'matrix run': ['--keys keys', '--keys keys --format html', '--keys own --format html'],
  init: [`--target ${STAGING} --api-key-env {key}`, '--ci gitlab'],
  load: [
    ...['at-limt', 'smoke --json', 'smoke --repeat 0', 'soak --minutes 1.5', 'at-limit --minutes 3'],
    ...['soak --minutes 17', 'soak --fleet-keys-file file', 'at-limit --allow-host staging.example.com'],
    ...[`at-limit --against ${STAGING} --repeat 6`, 'smoke --thresholds thresholds/p98.json'],
    ...['smoke --thresholds thresholds/soaks.json', 'smoke --thresholds none.json'],
  ],
  [`load capacity --target ${STAGING}`]: [
    ...['--arrivals bursty', '--rate 10', '--rate 1.8 --arrivals poisson', '--rate 0', '--duration long'],
    ...['--duration 10s --ramp 20s', '--creates 101'],
  ],
  [`load --target ${STAGING}`]: [
    ...['isolation', 'offender', 'at-limit --fleet-keys-env F', `at-limit --against ${STAGING}`],
    ...['soak --fleet-keys-env F --fleet-keys-file f', 'soak --fleet-keys-env {name}'],
    ...[
      'soak --fleet-keys-file nowhere',
      'soak --keys-file keys/twice.csv',
      'soak --keys-file keys/words.csv',
    ],
    ...[
      'soak --keys-file keys/none.csv',
      'soak --keys-file keys/gold.csv',
      'smoke --keys-file keys/free.csv',
    ],
    ...['capacity --keys-file keys/free.csv', 'plans --keys-file keys/free.csv'],
  ],
  'K6_BIN=nowhere load': ['smoke', '--install'],
  [`PETSTORE_API_KEY= load at-limit --target ${STAGING}`]: [''],
  [`PETSTORE_OTHER_KEY={key} load isolation --target ${STAGING}`]: [''],
  [`PETSTORE_API_KEYS='key-a1,key-b2 key-a1' load soak --target ${STAGING}`]: [''],
  [`PETSTORE_API_KEYS=key-a1,schlüssel load soak --target ${STAGING}`]: [''],
  'load at-limit --target one --config': ['moved.json', 'forbidden.json --allow-host staging.example.com'],
  [`load manifest soak ${MANIFEST}`]: ['', '--keys-file keys/twice.csv', '--keys-secret a'],
  [`load manifest smoke ${MANIFEST}`]: [
    ...['', '--keys {key}', '--keys key=a --header-secret X-Gateway={key}'],
    ...['--keys key=a --header-secret Host=a/b', '--keys key=a --ca nowhere.pem'],
    '--keys key=a --parallelism 2',
  ],
  [`load manifest smoke --target ${STAGING} --out manifests --keys key=a`]: ['', '--samples-s3 bucket'],
  'load manifest smoke --out manifests --keys key=a': [''],
  [`load manifest nothing ${MANIFEST} --keys key=a`]: [''],
};

/** The words of a line and the variables before them, as a shell reads them. */
function readLine(line: string) {
  const all = (line.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) =>
    word.replaceAll("'", '').replace('{key}', KEY).replace('{name}', NAME).replaceAll('\\r\\n', '\r\n'),
  );
  const words = all.findIndex((word) => !/^[A-Z0-9_]+=/.test(word));
  const given = all.slice(0, words).map((word) => word.split('=', 2));
  const env: Readonly<Record<string, string>> = { PETSTORE_API_KEY: KEY, ...Object.fromEntries(given) };
  return {
    args: all.slice(words),
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== 'unset')),
  };
}

test('a mistake gets one sentence and exit code 2, and no key is repeated', async (t) => {
  const cwd = temporaryFolder(t);
  const configurations = Object.entries(CONFIGURATIONS).map(
    ([name, config]) => [`${name}.json`, config] as const,
  );
  for (const [name, content] of [...Object.entries(FILES), ...configurations]) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  let page = '';
  for (const [beginning, ends] of Object.entries(MISTAKES))
    for (const end of ends) {
      const line = `${beginning} ${end}`.trim();
      const { args, env } = readLine(line);
      const { code, out, err } = await runHere(args, { cwd, env });
      assert.equal(code, 2, `${line}: ${out}${err}`);
      assert.match(out, /^(?:Client .*)?$/s, `${line}: nothing was sent`);
      assert.match(err, /^petstore-conformance: [^\n]+[.?]\n$/, `${line}: one line, one sentence`);
      assert.doesNotMatch(err, /\n {4}at |node:internal|Unexpected error/, line);
      for (const secret of [KEY, NAME]) assert.ok(!`${out}${err}`.includes(secret), `${line}: ${err}`);
      page += `${line}\n  ${err.replace('petstore-conformance: ', '').replace(/all \d+/, 'all')}`;
    }
  assertPage(PAGE, page);
});
