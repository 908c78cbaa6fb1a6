import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { run, temporaryFolder } from '../evaluation/testing/cli/command.ts';

const TARGET = ['certify', '--target', 'http://127.0.0.1:1/v1'];
const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';

/** Bad input, and the one sentence that it must get. */
interface Mistake {
  readonly args: readonly string[];
  readonly says: RegExp;
  readonly env?: Readonly<Record<string, string>>;
}

const withKey = { PETSTORE_API_KEY: KEY };

const mistakes: Readonly<Record<string, Mistake>> = {
  'an unknown command': { args: ['certfy'], says: /Unknown command 'certfy'.*certify/ },
  'an unknown option': { args: ['certify', '--tarrget', 'x'], says: /--tarrget.*--target/ },
  'a word too many': { args: ['certify', 'http://h/v1'], says: /Too many arguments/ },
  'a value that is missing': { args: ['certify', '--target'], says: /'--target <url>' argument missing/ },
  'a name pattern without a placeholder': {
    args: [...TARGET, '--name-pattern', 'Category'],
    env: withKey,
    says: /--name-pattern takes a name with exactly one of \{id\}, \{ID\}, \{number\} in it, such as 'Category \{id\}'/,
  },
  'a name pattern with two placeholders': {
    args: [...TARGET, '--name-pattern', '{id}{number}'],
    env: withKey,
    says: /--name-pattern takes a name with exactly one of/,
  },
  'a name pattern with a quotation mark': {
    args: [...TARGET, '--name-pattern', '"{id}"'],
    env: withKey,
    says: /--name-pattern takes a name with exactly one of/,
  },
  'no key': { args: TARGET, says: /No API key: put it into .* PETSTORE_API_KEY/ },
  'an empty key': { args: TARGET, env: { PETSTORE_API_KEY: '' }, says: /PETSTORE_API_KEY is empty/ },
  'a key with a space': { args: TARGET, env: { PETSTORE_API_KEY: `${KEY} ` }, says: /visible ASCII without/ },
  'a key that is not ASCII': { args: TARGET, env: { PETSTORE_API_KEY: 'schlüssel' }, says: /visible ASCII/ },
  'a key where a name belongs': { args: [...TARGET, '--api-key-env', KEY], says: /takes the NAME/ },
  'a key that could be a name': {
    args: [...TARGET, '--api-key-env', KEY.replace('-', '_')],
    says: /is not set \(its name is not repeated here/,
  },
  'a key as an option': { args: [...TARGET, '--api-key', KEY], says: /No option takes a key/ },
  'a key glued to an option': { args: [...TARGET, `--api-key=${KEY}`], says: /No option takes a key/ },
  'a key glued to another option': { args: [...TARGET, `--auth=${KEY}`], says: /'--auth=…'/ },
  'a key beside a plan': {
    args: [...TARGET, '--plan-key', `pro=${KEY}`],
    env: withKey,
    says: /takes the NAME/,
  },
  'a plan key without a plan': { args: [...TARGET, '--plan-key', KEY], env: withKey, says: /takes PLAN=VAR/ },
  'a file and a variable for the key': {
    args: [...TARGET, '--api-key-env', 'A', '--api-key-file', 'b'],
    says: /give one of them/,
  },
  'a key file that is not there': {
    args: [...TARGET, '--api-key-file', 'nowhere'],
    says: /key file nowhere cannot be read: there is no such file/,
  },
  'one key for two callers': {
    args: TARGET,
    env: { ...withKey, PETSTORE_OTHER_KEY: KEY },
    says: /The key under examination and the other key are the same/,
  },
  'an empty target': { args: ['certify', '--target', ''], says: /--target is empty/ },
  'a target without a scheme': {
    args: ['certify', '--target', 'localhost:8080/v1'],
    says: /http:\/\/ or https/,
  },
  'a target of another scheme': { args: ['certify', '--target', 'ftp://h/v1'], says: /http:\/\/ or https/ },
  'a target with a password': {
    args: ['certify', '--target', `http://me:${KEY}@127.0.0.1/v1`],
    says: /holds a user name or a password/,
  },
  'a target with a query': { args: ['certify', '--target', `http://h/v1?key=${KEY}`], says: /has no query/ },
  'a target with a fragment': { args: ['certify', '--target', `http://h/v1#${KEY}`], says: /no fragment/ },
  'a key without a target': { args: ['certify', '--api-key-env', 'A'], says: /--api-key-env needs --target/ },
  'a fault with a target': { args: [...TARGET, '--fault', 'list-206'], says: /--fault is for the bundled/ },
  'an algorithm with a target': { args: [...TARGET, '--algorithm', 'gcra'], says: /--algorithm is for the/ },
  'a variant with a target': {
    args: [...TARGET, '--variant', 'retry-after-as-date'],
    says: /--variant is for the bundled/,
  },
  'a fault and a variant': {
    args: ['serve', '--fault', 'list-206', '--variant', 'retry-after-as-date'],
    says: /--fault and --variant cannot be given together/,
  },
  'an unknown variant': {
    args: ['certify', '--variant', 'retry-after-as-dato'],
    says: /Did you mean "retry-after-as-date"/,
  },
  'an unknown fault': { args: ['certify', '--fault', 'list-207'], says: /Did you mean "list-206"/ },
  'an unknown algorithm': { args: ['serve', '--algorithm', 'gcr'], says: /Did you mean "gcra"/ },
  'an unknown fault of the server': {
    args: ['serve', '--fault', 'list-207'],
    says: /Did you mean "list-206"/,
  },
  'an unknown plan': { args: ['certify', '--plan', 'fre'], says: /no plan "fre".*Did you mean "free"/ },
  'an unknown further plan': {
    args: [...TARGET, '--plan-key', 'por=PETSTORE_API_KEY2'],
    env: { ...withKey, PETSTORE_API_KEY2: 'x1' },
    says: /no plan "por"/,
  },
  'a plan by agreement': { args: ['certify', '--plan', 'enterprise'], says: /by agreement.*--plans/ },
  'a plan file that is not there': {
    args: ['certify', '--plans', 'nowhere'],
    says: /nowhere: .* no such file/,
  },
  'a plan file that is broken': {
    args: ['certify', '--plans', 'broken.json'],
    says: /broken.json: .* not JSON/,
  },
  'a folder below a file': {
    args: ['certify', '--out', 'file/report'],
    says: /a part of the path is a file/,
  },
  'a folder that is a file': { args: ['certify', '--out', 'file'], says: /The folder file cannot be made/ },
  'a report that is a folder': {
    args: ['certify', '--out', 'full'],
    says: /report.json, .* cannot be removed/,
  },
  'a folder that the kernel owns': { args: ['certify', '--out', '/proc/report/1'], says: /cannot be made/ },
  'a CA file that is not there': {
    args: [...TARGET, '--ca', 'nowhere'],
    env: withKey,
    says: /CA file nowhere/,
  },
  'a CA file without a certificate': {
    args: [...TARGET, '--ca', 'file'],
    env: withKey,
    says: /holds no certificate in PEM form/,
  },
  'a header without a value': { args: [...TARGET, '--header', KEY], env: withKey, says: /'Name: value'/ },
  'a header of the examination': {
    args: [...TARGET, '--header', `Authorization: ${KEY}`],
    env: withKey,
    says: /Authorization is set by the examination itself/,
  },
  'a header that breaks the line': {
    args: [...TARGET, '--header', 'X-A: b\r\nX-C: d'],
    env: withKey,
    says: /characters that a header cannot carry/,
  },
  'a header out of no variable': {
    args: [...TARGET, '--header-env', 'X-Gateway=NO_SUCH'],
    env: withKey,
    says: /for the header X-Gateway is not set/,
  },
  'a proxy that is none': {
    args: ['certify', '--target', 'http://petstore.invalid/v1'],
    env: { ...withKey, HTTPS_PROXY: `me:${KEY}` },
    says: /HTTPS_PROXY does not hold the address of a proxy/,
  },
  'an OpenAPI document that is not there': {
    args: ['certify', '--openapi', 'nowhere.yaml'],
    says: /document nowhere.yaml cannot be read: there is no such file/,
  },
  'a port that is none': { args: ['serve', '--port', '70000'], says: /whole number from 0 to 65535/ },
  'a ban that is none': { args: ['serve', '--ban', '5'], says: /where N:SECONDS belongs/ },
  'an address of another machine': {
    args: ['serve', '--host', '203.0.113.1'],
    says: /no address of this machine/,
  },
  'no journal': { args: ['judge'], says: /Missing required argument 'journal'/ },
  'a journal that is not there': { args: ['judge', 'nowhere'], says: /The journal nowhere cannot be read/ },
  'a file that is no journal': { args: ['judge', 'broken.json'], says: /is not a journal of this program/ },
};

function folderOfMistakes(t: TestContext): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'file'), 'some text');
  writeFileSync(join(folder, 'broken.json'), `{ "minuteSeconds": ${KEY} }`);
  mkdirSync(join(folder, 'full', 'report.json', 'in-the-way'), { recursive: true });
  return folder;
}

describe('a mistake gets one sentence and exit code 2', { concurrency: 2 }, () => {
  for (const [what, { args, env, says }] of Object.entries(mistakes)) {
    test(what, async (t) => {
      const { code, out, err } = await run(t, args, { cwd: folderOfMistakes(t), ...(env ? { env } : {}) });
      assert.match(err, says);
      assert.equal(code, 2, err);
      assert.match(err, /^petstore-conformance: [^\n]+[.?]\n$/, 'one line, one sentence');
      assert.doesNotMatch(err, /\n {4}at |node:internal/, 'no stack');
      assert.ok(!`${out}${err}`.includes(KEY), 'the key is not repeated');
      assert.ok(!`${out}${err}`.includes(KEY.replace('-', '_')), 'nor what may have been the key');
    });
  }
});

test('without a command it shows how it is used, and does not call that a success', async (t) => {
  const { code, out, err } = await run(t, []);
  assert.equal(code, 2);
  assert.match(out + err, /Usage: petstore-conformance/);
});

describe('help', { concurrency: 2 }, () => {
  for (const command of [[], ['certify'], ['serve'], ['faults'], ['variants'], ['requirements'], ['judge']]) {
    test(`${command.join(' ')} --help shows examples`, async (t) => {
      const { code, out, err } = await run(t, [...command, '--help']);
      assert.equal(code, 0);
      assert.match(out, /\nExamples:\n {2}petstore-conformance /);
      assert.equal(err, '');
    });
  }
});

test('--version is that of the package', async (t) => {
  const { code, out } = await run(t, ['--version']);
  assert.equal(code, 0);
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
});

test('an older Node gets one sentence and exit code 2', async (t) => {
  const folder = temporaryFolder(t);
  const pretend = join(folder, 'pretend.cjs');
  writeFileSync(
    pretend,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } });",
  );
  const { code, err } = await run(t, ['certify'], { env: { NODE_OPTIONS: `--require ${pretend}` } });
  assert.equal(code, 2);
  assert.equal(
    err,
    'petstore-conformance: Node.js 20.19 or newer is needed, and this is 20.18.3: install a newer release.\n',
  );
});

test('without its packages it says what to run', async (t) => {
  const folder = temporaryFolder(t);
  const bin = join(folder, 'petstore-conformance.mjs');
  copyFileSync(new URL('./petstore-conformance.js', import.meta.url), bin);
  const { status, stderr } = spawnSync(process.execPath, [bin, 'certify'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /^petstore-conformance: A package is missing: run "npm ci" [^\n]+\n$/);
});

test('an error that nobody foresaw is no verdict: exit code 2, and how to see where it came from', async (t) => {
  const folder = temporaryFolder(t);
  const broken = join(folder, 'broken.cjs');
  writeFileSync(broken, "String.prototype.padEnd = () => { throw new Error('a fault of ours'); };");
  const env = { NODE_OPTIONS: `--require ${broken}` };
  const { code, err } = await run(t, ['requirements'], { env });
  assert.equal(code, 2, err);
  assert.match(
    err,
    /^petstore-conformance: Unexpected error: a fault of ours[^\n]+PETSTORE_DEBUG=1[^\n]+\n$/,
  );
  const debugged = await run(t, ['requirements'], { env: { ...env, PETSTORE_DEBUG: '1' } });
  assert.equal(debugged.code, 2);
  assert.match(debugged.err, /\n {4}at .*broken\.cjs/);
});
