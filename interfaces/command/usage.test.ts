import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { runHere } from '../../evaluation/testing/cli/command.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { FLAGS } from '../options/command-line.ts';
import { options, optionsOf } from '../options/table.ts';

const TARGET = ['certify', '--target', 'http://127.0.0.1:1/v1'];
const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';

/** A wrong input, a part of the one sentence that it must get, and other variables than the key. */
type Mistake = readonly [args: readonly string[], expected: RegExp, env?: Readonly<Record<string, string>>];

const withKey = { PETSTORE_API_KEY: KEY };

const mistakes: Readonly<Record<string, Mistake>> = {
  'an unknown command': [['certfy'], /Unknown command 'certfy'.*certify/],
  'an unknown option': [['certify', '--tarrget', 'x'], /--tarrget.*--target.* certify --help"\.$/m],
  'an extra argument': [['certify', 'http://h/v1'], /Too many arguments/],
  'a missing value': [['certify', '--target'], /'--target <url>' argument missing/],
  'a name pattern without a placeholder': [
    [...TARGET, '--name-pattern', 'Category'],
    /--name-pattern takes a name with exactly one of \{id\}, \{ID\}, \{number\} in it, such as 'Category \{id\}'/,
  ],
  'no key': [TARGET, /No API key: put it into .* PETSTORE_API_KEY/, {}],
  'an empty key': [TARGET, /PETSTORE_API_KEY is empty/, { PETSTORE_API_KEY: '' }],
  'a key with a space': [TARGET, /visible ASCII characters without/, { PETSTORE_API_KEY: `${KEY} ` }],
  'a key that is not ASCII': [TARGET, /visible ASCII/, { PETSTORE_API_KEY: 'schlüssel' }],
  'a key in place of a variable name': [[...TARGET, '--api-key-env', KEY], /takes the NAME/],
  'no variable in place of one': [[...TARGET, '--disposable-key-env', ''], /takes the NAME/],
  'a key that could be a variable name': [
    [...TARGET, '--api-key-env', KEY.replace('-', '_')],
    /is not set: .*name is not repeated here/,
  ],
  'the usual variable, named as a configuration file does, and not set': [
    [...TARGET, '--api-key-env', 'PETSTORE_API_KEY'],
    /^petstore-conformance: The environment variable PETSTORE_API_KEY is not set: put the key into it\.$/m,
    {},
  ],
  'a key as an option': [[...TARGET, '--api-key', KEY], /No option takes a key/],
  'a key after an equals sign': [[...TARGET, `--api-key=${KEY}`], /No option takes a key/],
  'a key after an equals sign of another option': [[...TARGET, `--auth=${KEY}`], /'--auth=…'/],
  'a key in place of the variable of a plan key': [[...TARGET, '--plan-key', `pro=${KEY}`], /takes the NAME/],
  'a plan key without a plan': [[...TARGET, '--plan-key', KEY], /takes PLAN=VAR/],
  'a file and a variable for the key': [
    [...TARGET, '--api-key-env', 'A', '--api-key-file', 'b'],
    /give only one of them/,
  ],
  'a missing key file': [
    [...TARGET, '--api-key-file', 'nowhere'],
    /key file nowhere cannot be read: there is no such file/,
  ],
  'one key in two roles': [
    TARGET,
    /The key under test and the other key are the same/,
    { ...withKey, PETSTORE_OTHER_KEY: KEY },
  ],
  'an empty target': [['certify', '--target', ''], /--target is empty/],
  'a target without a scheme': [['certify', '--target', 'localhost:8080/v1'], /http:\/\/ or https/],
  'a target with another scheme': [['certify', '--target', 'ftp://h/v1'], /http:\/\/ or https/],
  'a target with a password': [
    ['certify', '--target', `http://me:${KEY}@127.0.0.1/v1`],
    /holds a user name or a password/,
  ],
  'a target with a query': [['certify', '--target', `http://h/v1?key=${KEY}`], /remove the query/],
  'a target with a fragment': [['certify', '--target', `http://h/v1#${KEY}`], /and the fragment/],
  'a key without a target': [['certify', '--api-key-env', 'A'], /--api-key-env needs --target/],
  'a fault with a target': [[...TARGET, '--fault', 'list-206'], /--fault is an option for the bundled/],
  'a fault and a variant': [
    ['serve', '--fault', 'list-206', '--variant', 'retry-after-as-date'],
    /--fault and --variant cannot be combined/,
  ],
  'an unknown variant': [
    ['certify', '--variant', 'retry-after-as-dato'],
    /Did you mean "retry-after-as-date"/,
  ],
  'an unknown fault': [['certify', '--fault', 'list-207'], /Did you mean "list-206"/],
  'an unknown algorithm': [['serve', '--algorithm', 'gcr'], /Did you mean "gcra"/],
  'an unknown plan': [['certify', '--plan', 'fre'], /no plan "fre".*Did you mean "free"/],
  'an unknown further plan': [
    [...TARGET, '--plan-key', 'por=PETSTORE_API_KEY2'],
    /no plan "por"/,
    { ...withKey, PETSTORE_API_KEY2: 'key-x1' },
  ],
  'a plan by agreement': [['certify', '--plan', 'enterprise'], /by agreement.*--plans/],
  'a missing plan file': [['certify', '--plans', 'nowhere'], /nowhere: .* no such file/],
  'a malformed plan file': [['certify', '--plans', 'broken.json'], /broken.json: .* not JSON/],
  'a folder below a file': [['certify', '--out', 'file/report'], /a part of the path is a file/],
  'a folder that the kernel refuses': [['certify', '--out', '/proc/report/1'], /cannot be made/],
  'a missing CA file': [[...TARGET, '--ca', 'nowhere'], /CA file nowhere/],
  'a CA file without a certificate': [[...TARGET, '--ca', 'file'], /holds no certificate in PEM format/],
  'a header without a value': [[...TARGET, '--header', KEY], /'Name: value'/],
  'a reserved header': [
    [...TARGET, '--header', `Authorization: ${KEY}`],
    /the run sets Authorization itself/,
  ],
  'a header that breaks the line': [
    [...TARGET, '--header', 'X-A: b\r\nX-C: d'],
    /characters that a header cannot carry/,
  ],
  'a header from a variable that is not set': [
    [...TARGET, '--header-env', 'X-Gateway=NO_SUCH'],
    /for the header X-Gateway is not set/,
  ],
  'a proxy that is no address': [
    ['certify', '--target', 'http://petstore.invalid/v1'],
    /HTTPS_PROXY does not hold the address of a proxy/,
    { ...withKey, HTTPS_PROXY: `me:${KEY}` },
  ],
  'a missing OpenAPI document': [
    ['certify', '--openapi', 'nowhere.yaml'],
    /document nowhere.yaml cannot be read: there is no such file/,
  ],
  'an invalid port': [['serve', '--port', '70000'], /whole number from 0 to 65535/],
  'an invalid ban': [['serve', '--ban', '5'], /takes N:SECONDS/],
  'an address of another machine': [['serve', '--host', '203.0.113.1'], /not an address of this machine/],
  'no journal': [['judge'], /Missing required argument 'run'/],
  'a missing journal': [['judge', 'nowhere'], /The journal nowhere cannot be read/],
  'a file that is not a journal': [['judge', 'broken.json'], /is not a journal of this program/],
  'a quick run with an option that needs a 429': [
    ['certify', '--quick', '--thorough'],
    /--thorough needs a 429, which --quick leaves out/,
  ],
  'a client program that is missing, in a preview': [
    ['certify-client', '--dry-run', '--', 'no-such-client'],
    /"no-such-client" could not be started: there is no such program/,
  ],
  'an option behind the client program': [
    ['certify-client', 'sh', 'client.sh', '--dry-run'],
    /--dry-run stands behind the program/,
  ],
  'a requirement on clients that is none': [
    ['certify-client', '--only', 'CLIENT-11'],
    /"CLIENT-11", which no scenario decides\. Did you mean "CLIENT-1"\?/,
  ],
  'a number that is none': [
    ['certify-client', '--jobs', 'many'],
    /--jobs takes a whole number from 1 to 64, not "many"/,
  ],
  'a port for many services': [
    ['certify-client', '--listen', '127.0.0.1:80'],
    /--listen takes a port only with --serve/,
  ],
  'an address to listen at that is none': [
    ['certify-client', '--listen', 'http://x'],
    /--listen takes an address of this machine/,
  ],
  'an address to listen at of another machine': [
    ['certify-client', '--listen', '192.0.2.1'],
    /No service can listen at 192\.0\.2\.1: this machine has no such address/,
  ],
  'a client command and --serve': [
    ['certify-client', '--serve', '--', 'node'],
    /--serve waits for a client that you attach/,
  ],
  'a language without a template': [
    ['certify-client', '--template', 'cobol'],
    /cobol.*invalid.*node, python, go, java, sh/i,
  ],
  'an unknown profile': [['load', 'at-limt'], /There is no profile "at-limt"; .* Did you mean "at-limit"\?/],
  'no profile': [['load'], /load needs a profile: smoke, .* describes them/],
  'JSON of a load run': [['load', 'smoke', '--json'], /--json requires --dry-run/],
  'no repetition': [
    ['load', 'smoke', '--repeat', '0'],
    /--repeat takes a whole number of runs from 1 to 500, not "0"/,
  ],
  'half a minute': [
    ['load', 'soak', '--minutes', '1.5'],
    /--minutes takes a whole number of minutes from 1 to/,
  ],
  'unknown arrivals': [['load', 'capacity', '--arrivals', 'bursty'], /Allowed choices are even, poisson/],
};

function folderOfMistakes(t: TestContext): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'file'), 'some text');
  writeFileSync(join(folder, 'broken.json'), `{ "minuteSeconds": ${KEY} }`);
  return folder;
}

describe('a mistake gets one sentence and exit code 2', { concurrency: 2 }, () => {
  for (const [title, [args, expected, env = withKey]] of Object.entries(mistakes)) {
    test(title, async (t) => {
      const { code, out, err } = await runHere(args, { cwd: folderOfMistakes(t), env });
      assert.match(err, expected);
      assert.equal(code, 2, err);
      assert.match(err, /^petstore-conformance: [^\n]+[.?]\n$/, 'one line, one sentence');
      assert.doesNotMatch(err, /\n {4}at |node:internal/, 'no stack');
      assert.ok(!`${out}${err}`.includes(KEY), 'the key is not repeated');
      assert.ok(!`${out}${err}`.includes(KEY.replace('-', '_')), 'nor a text that may be the key');
    });
  }
});

describe('a dry run needs no key', { concurrency: 2 }, () => {
  const target = ['--target', 'https://api.example.com/v1', '--dry-run'];
  const rows: readonly (readonly [title: string, args: readonly string[]])[] = [
    ['certify', ['certify', ...target]],
    [
      'with variables that are not set',
      ['certify', ...target, '--api-key-env', 'NONE', '--plan-key', 'pro=NO_PRO'],
    ],
    ['load', ['load', 'at-limit', ...target]],
    ['a profile that uses two keys', ['load', 'isolation', ...target]],
  ];
  for (const [title, args] of rows) {
    test(title, async () => {
      for (const env of [{}, { PETSTORE_API_KEY: '' }]) {
        const { code, out, err } = await runHere(args, { env });
        assert.equal(code, 0, err);
        assert.match(out, /api\.example\.com[\s\S]*Nothing was sent\. Before a run, set its keys/);
      }
    });
  }
  test('and says that the run starts where there is one', async () => {
    const { out } = await runHere(['certify', ...target], { env: withKey });
    assert.match(out, /Nothing was sent\. Without --dry-run, the run starts at once/);
  });
});

test('without a command it prints the help and exits with 2', async () => {
  const { code, out, err } = await runHere([]);
  assert.equal(code, 2);
  assert.match(out + err, /Usage: petstore-conformance/);
});

describe('help', { concurrency: 2 }, () => {
  for (const command of [[], ['certify'], ['serve'], ['explain'], ['judge']]) {
    test(`${command.join(' ')} --help shows examples`, async () => {
      const { code, out, err } = await runHere([...command, '--help']);
      assert.equal(code, 0);
      assert.match(out, /\nExamples:\n {2}petstore-conformance /);
      assert.equal(err, '');
    });
  }
  for (const command of ['certify', 'load', 'certify-client'] as const) {
    test(`${command} --help fits a screen, and --help-all has every option`, async () => {
      const first = await runHere([command, '--help']);
      assert.ok(first.out.split('\n').length <= 46, first.out);
      assert.ok((first.out.match(/^ {2}(?:-h, )?--/gm) ?? []).length <= 12, first.out);
      const whole = await runHere([command, '--help-all']);
      assert.deepEqual([whole.code, whole.err], [0, '']);
      for (const name of optionsOf(command)) {
        if (!['product', 'words'].includes(options[name].kind))
          assert.ok(whole.out.includes(`  ${FLAGS[name]}`), name);
      }
    });
  }
});
