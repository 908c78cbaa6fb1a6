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

/** A wrong input, and a part of the one sentence that it must get. */
interface Mistake {
  readonly args: readonly string[];
  readonly expected: RegExp;
  readonly env?: Readonly<Record<string, string>>;
}

const withKey = { PETSTORE_API_KEY: KEY };

const mistakes: Readonly<Record<string, Mistake>> = {
  'an unknown command': { args: ['certfy'], expected: /Unknown command 'certfy'.*certify/ },
  'an unknown option': {
    args: ['certify', '--tarrget', 'x'],
    expected: /--tarrget.*--target.* certify --help"\.$/m,
  },
  'an extra argument': { args: ['certify', 'http://h/v1'], expected: /Too many arguments/ },
  'a missing value': { args: ['certify', '--target'], expected: /'--target <url>' argument missing/ },
  'a name pattern without a placeholder': {
    args: [...TARGET, '--name-pattern', 'Category'],
    env: withKey,
    expected:
      /--name-pattern takes a name with exactly one of \{id\}, \{ID\}, \{number\} in it, such as 'Category \{id\}'/,
  },
  'a name pattern with two placeholders': {
    args: [...TARGET, '--name-pattern', '{id}{number}'],
    env: withKey,
    expected: /--name-pattern takes a name with exactly one of/,
  },
  'a name pattern with a quotation mark': {
    args: [...TARGET, '--name-pattern', '"{id}"'],
    env: withKey,
    expected: /--name-pattern takes a name with exactly one of/,
  },
  'no key': { args: TARGET, expected: /No API key: put it into .* PETSTORE_API_KEY/ },
  'an empty key': { args: TARGET, env: { PETSTORE_API_KEY: '' }, expected: /PETSTORE_API_KEY is empty/ },
  'a key with a space': {
    args: TARGET,
    env: { PETSTORE_API_KEY: `${KEY} ` },
    expected: /visible ASCII characters without/,
  },
  'a key that is not ASCII': {
    args: TARGET,
    env: { PETSTORE_API_KEY: 'schlüssel' },
    expected: /visible ASCII/,
  },
  'a key in place of a variable name': {
    args: [...TARGET, '--api-key-env', KEY],
    expected: /takes the NAME/,
  },
  'a key that could be a variable name': {
    args: [...TARGET, '--api-key-env', KEY.replace('-', '_')],
    expected: /is not set: .*name is not repeated here/,
  },
  'the usual variable, named as a configuration file does, and not set': {
    args: [...TARGET, '--api-key-env', 'PETSTORE_API_KEY'],
    expected:
      /^petstore-conformance: The environment variable PETSTORE_API_KEY is not set: put the key into it\.$/m,
  },
  'a key as an option': { args: [...TARGET, '--api-key', KEY], expected: /No option takes a key/ },
  'a key after an equals sign': { args: [...TARGET, `--api-key=${KEY}`], expected: /No option takes a key/ },
  'a key after an equals sign of another option': {
    args: [...TARGET, `--auth=${KEY}`],
    expected: /'--auth=…'/,
  },
  'a key in place of the variable of a plan key': {
    args: [...TARGET, '--plan-key', `pro=${KEY}`],
    env: withKey,
    expected: /takes the NAME/,
  },
  'a plan key without a plan': {
    args: [...TARGET, '--plan-key', KEY],
    env: withKey,
    expected: /takes PLAN=VAR/,
  },
  'a file and a variable for the key': {
    args: [...TARGET, '--api-key-env', 'A', '--api-key-file', 'b'],
    expected: /give only one of them/,
  },
  'a missing key file': {
    args: [...TARGET, '--api-key-file', 'nowhere'],
    expected: /key file nowhere cannot be read: there is no such file/,
  },
  'one key in two roles': {
    args: TARGET,
    env: { ...withKey, PETSTORE_OTHER_KEY: KEY },
    expected: /The key under test and the other key are the same/,
  },
  'an empty target': { args: ['certify', '--target', ''], expected: /--target is empty/ },
  'a target without a scheme': {
    args: ['certify', '--target', 'localhost:8080/v1'],
    expected: /http:\/\/ or https/,
  },
  'a target with another scheme': {
    args: ['certify', '--target', 'ftp://h/v1'],
    expected: /http:\/\/ or https/,
  },
  'a target with a password': {
    args: ['certify', '--target', `http://me:${KEY}@127.0.0.1/v1`],
    expected: /holds a user name or a password/,
  },
  'a target with a query': {
    args: ['certify', '--target', `http://h/v1?key=${KEY}`],
    expected: /remove the query/,
  },
  'a target with a fragment': {
    args: ['certify', '--target', `http://h/v1#${KEY}`],
    expected: /and the fragment/,
  },
  'a key without a target': {
    args: ['certify', '--api-key-env', 'A'],
    expected: /--api-key-env needs --target/,
  },
  'a fault with a target': {
    args: [...TARGET, '--fault', 'list-206'],
    expected: /--fault is an option for the bundled/,
  },
  'an algorithm with a target': {
    args: [...TARGET, '--algorithm', 'gcra'],
    expected: /--algorithm is an option for the/,
  },
  'a variant with a target': {
    args: [...TARGET, '--variant', 'retry-after-as-date'],
    expected: /--variant is an option for the bundled/,
  },
  'a fault and a variant': {
    args: ['serve', '--fault', 'list-206', '--variant', 'retry-after-as-date'],
    expected: /--fault and --variant cannot be combined/,
  },
  'an unknown variant': {
    args: ['certify', '--variant', 'retry-after-as-dato'],
    expected: /Did you mean "retry-after-as-date"/,
  },
  'an unknown fault': { args: ['certify', '--fault', 'list-207'], expected: /Did you mean "list-206"/ },
  'an unknown algorithm': { args: ['serve', '--algorithm', 'gcr'], expected: /Did you mean "gcra"/ },
  'an unknown fault of the server': {
    args: ['serve', '--fault', 'list-207'],
    expected: /Did you mean "list-206"/,
  },
  'an unknown plan': { args: ['certify', '--plan', 'fre'], expected: /no plan "fre".*Did you mean "free"/ },
  'an unknown further plan': {
    args: [...TARGET, '--plan-key', 'por=PETSTORE_API_KEY2'],
    env: { ...withKey, PETSTORE_API_KEY2: 'key-x1' },
    expected: /no plan "por"/,
  },
  'a plan by agreement': { args: ['certify', '--plan', 'enterprise'], expected: /by agreement.*--plans/ },
  'a missing plan file': {
    args: ['certify', '--plans', 'nowhere'],
    expected: /nowhere: .* no such file/,
  },
  'a malformed plan file': {
    args: ['certify', '--plans', 'broken.json'],
    expected: /broken.json: .* not JSON/,
  },
  'a folder below a file': {
    args: ['certify', '--out', 'file/report'],
    expected: /a part of the path is a file/,
  },
  'a folder that is a file': {
    args: ['certify', '--out', 'file'],
    expected: /The folder file cannot be made/,
  },
  'a folder that the kernel refuses': {
    args: ['certify', '--out', '/proc/report/1'],
    expected: /cannot be made/,
  },
  'a missing CA file': {
    args: [...TARGET, '--ca', 'nowhere'],
    env: withKey,
    expected: /CA file nowhere/,
  },
  'a CA file without a certificate': {
    args: [...TARGET, '--ca', 'file'],
    env: withKey,
    expected: /holds no certificate in PEM format/,
  },
  'a header without a value': { args: [...TARGET, '--header', KEY], env: withKey, expected: /'Name: value'/ },
  'a reserved header': {
    args: [...TARGET, '--header', `Authorization: ${KEY}`],
    env: withKey,
    expected: /the run sets Authorization itself/,
  },
  'a header that breaks the line': {
    args: [...TARGET, '--header', 'X-A: b\r\nX-C: d'],
    env: withKey,
    expected: /characters that a header cannot carry/,
  },
  'a header from a variable that is not set': {
    args: [...TARGET, '--header-env', 'X-Gateway=NO_SUCH'],
    env: withKey,
    expected: /for the header X-Gateway is not set/,
  },
  'a proxy that is no address': {
    args: ['certify', '--target', 'http://petstore.invalid/v1'],
    env: { ...withKey, HTTPS_PROXY: `me:${KEY}` },
    expected: /HTTPS_PROXY does not hold the address of a proxy/,
  },
  'a missing OpenAPI document': {
    args: ['certify', '--openapi', 'nowhere.yaml'],
    expected: /document nowhere.yaml cannot be read: there is no such file/,
  },
  'an invalid port': { args: ['serve', '--port', '70000'], expected: /whole number from 0 to 65535/ },
  'an invalid ban': { args: ['serve', '--ban', '5'], expected: /takes N:SECONDS/ },
  'an address of another machine': {
    args: ['serve', '--host', '203.0.113.1'],
    expected: /not an address of this machine/,
  },
  'no journal': { args: ['judge'], expected: /Missing required argument 'run'/ },
  'a missing journal': { args: ['judge', 'nowhere'], expected: /The journal nowhere cannot be read/ },
  'a file that is not a journal': {
    args: ['judge', 'broken.json'],
    expected: /is not a journal of this program/,
  },
};

function folderOfMistakes(t: TestContext): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'file'), 'some text');
  writeFileSync(join(folder, 'broken.json'), `{ "minuteSeconds": ${KEY} }`);
  return folder;
}

describe('a mistake gets one sentence and exit code 2', { concurrency: 2 }, () => {
  for (const [title, { args, env, expected }] of Object.entries(mistakes)) {
    test(title, async (t) => {
      const { code, out, err } = await runHere(args, { cwd: folderOfMistakes(t), ...(env ? { env } : {}) });
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
