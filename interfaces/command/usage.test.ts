import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runHere } from '../../evaluation/testing/cli/command.ts';
import { FLAGS } from '../options/command-line.ts';
import { options, optionsOf } from '../options/table.ts';

const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';

const withKey = { PETSTORE_API_KEY: KEY };

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
