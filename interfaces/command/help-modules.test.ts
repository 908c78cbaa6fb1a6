import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../evaluation/testing/cli/command.ts';
import { SOURCE } from '../../evaluation/testing/cli/entry.ts';
import { sampleOf } from '../../tools/sample.ts';
import { COMMANDS } from './command-table.ts';

// Help appears quickly because it loads few modules. Which ones is counted here, and not a time, which depends on the
// machine. What a command needs for the values of its options is listed with it.

const ROOT = dirname(dirname(SOURCE));

/** Every help text may load these. */
const FOR_ALL = [
  /^(?:cli|interfaces\/command)\/[^/]+$/,
  /^kernel\/basics\//,
  /^kernel\/findings\/(?:suite|gate-codes)\.ts$/,
  /^interfaces\/options\/[^/]+$/,
  /^package\.json$/,
];

const FURTHER: Readonly<Record<string, readonly RegExp[]>> = {
  'certify-client': [/^suites\/client\/templates\/index\.ts$/],
  // Its help describes the profiles.
  load: [
    /^load\/(?:model|profiles)\//,
    /^kernel\/usage-ledger\/day-allowance\.ts$/,
    /^kernel\/rate-limits\//,
    /^kernel\/exchanges\/collections\.ts$/,
  ],
};

/** The modules of this project that a command line loads, by V8's own record. */
async function modulesOf(t: Parameters<typeof run>[0], args: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-modules-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { code, err } = await run(t, args, { entry: SOURCE, env: { NODE_V8_COVERAGE: folder } });
  assert.equal(code, 0, err);
  const urls = readdirSync(folder).flatMap((name): readonly string[] =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')).result.map(({ url }: { url: string }) => url),
  );
  const paths = urls
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(ROOT, fileURLToPath(url.replace(/\?.*$/, ''))));
  return paths.filter((path) => !path.startsWith('..') && !path.startsWith('node_modules'));
}

describe('help loads no implementation', { concurrency: 2 }, () => {
  for (const name of sampleOf(['', ...COMMANDS.map((command) => command.name)])) {
    test(`${name} --help`, async (t) => {
      const modules = await modulesOf(t, [...(name === '' ? [] : [name]), '--help']);
      assert.ok(modules.includes('interfaces/command/program.ts'), 'the record is complete');
      // Completion describes all commands, so it loads what they load.
      const further = name === 'completion' ? Object.values(FURTHER).flat() : (FURTHER[name] ?? []);
      const allowed = [...FOR_ALL, ...further, /^interfaces\/command\/commands\//];
      const strange = modules.filter((path) => !allowed.some((pattern) => pattern.test(path)));
      assert.deepEqual(strange, []);
      if (name === '') {
        assert.deepEqual(
          modules.filter((path) => path.startsWith('interfaces/command/commands/')),
          [],
        );
      }
    });
  }
});

test('help of a command, by both ways to ask for it', async (t) => {
  const before = await run(t, ['judge', '--help']);
  const after = await run(t, ['help', 'judge']);
  assert.match(before.out, /Usage: petstore-conformance judge \[options\] <run\.\.\.>/);
  assert.equal(after.out, before.out);
});
