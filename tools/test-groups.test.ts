import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import { testFiles } from './project-files.ts';
import {
  COMPUTING_TESTS,
  computingOf,
  GROUP_PROGRAM,
  looksSlow,
  quickOf,
  SLOW_TESTS,
  slowOf,
  writeGroups,
} from './test-groups.ts';

describe('test files in groups', () => {
  const folder = temporaryFolder({ after });

  const pathOf = (file: string): string => (file === GROUP_PROGRAM ? resolve(file) : join(folder, file));

  /** The module of a process for test files with these texts. */
  const groupOf = (texts: Readonly<Record<string, string>>): string => {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    return writeGroups(Object.keys(texts), 1, pathOf).join();
  };

  /** Starts a process; its exit code, and what the reporter printed. */
  const runGroup = (texts: Readonly<Record<string, string>>, path = groupOf(texts)) => {
    const env = { PATH: process.env['PATH'] };
    const args = ['--import', 'tsx', '--test', '--test-reporter=spec', path];
    const { status, stdout } = spawnSync(process.execPath, args, { env });
    return { status, report: stdout.toString() };
  };

  it('run in one process, each with its own hooks', () => {
    const begin = "import assert from 'node:assert/strict';\nimport { beforeEach, it } from 'node:test';\n";
    const { status, report } = runGroup({
      'a.mjs': `${begin}globalThis.calls = 0;\nbeforeEach(() => { globalThis.calls += 1; });\nit('a', () => assert.equal(globalThis.calls, 1));\n`,
      'b.mjs': `${begin}it('b', () => assert.equal(globalThis.calls, 1));\n`,
    });
    assert.equal(status, 0, report);
    assert.match(report, /a\.mjs[\s\S]*b\.mjs[\s\S]*tests 2\n/);
  });

  it('fail where a test fails, and name its file', () => {
    const { status, report } = runGroup({
      'fails.mjs': "import { it } from 'node:test';\nit('one', () => { throw new Error('wrong'); });\n",
    });
    assert.equal(status, 1);
    assert.match(report, /fails\.mjs/);
  });

  it('fail where a file cannot be imported', () => {
    const { status, report } = runGroup({
      'broken.mjs': "import './nowhere.mjs';\n",
      'good.mjs': "import { it } from 'node:test';\nit('good', () => undefined);\n",
    });
    assert.equal(status, 1);
    assert.match(report, /broken\.mjs[\s\S]*ERR_MODULE_NOT_FOUND/);
    assert.match(report, /✔ good /);
  });

  it('fail where a test leaves an error that nothing catches', () => {
    const late =
      "await 1;\n  setTimeout(() => { throw new Error('wrong'); });\n  return new Promise(() => setTimeout(() => undefined, 50));";
    const { status, report } = runGroup({
      'late.mjs': `import { it } from 'node:test';\nit('one', async () => {\n  ${late}\n});\n`,
    });
    assert.notEqual(status, 0);
    assert.match(report, /wrong/);
  });

  it('have suites and tests in them, also after something was awaited', () => {
    const { status, report } = runGroup({
      'nested.mjs':
        "import { describe, it } from 'node:test';\nawait 1;\ndescribe('outer', () => {\n  describe('inner', () => {\n    it('one', async () => { await 1; });\n  });\n});\n",
      'next.mjs': "import { it } from 'node:test';\nit('two', () => undefined);\n",
    });
    assert.equal(status, 0, report);
    assert.match(report, /▶ nested\.mjs\n +▶ outer\n +▶ inner\n +✔ one/);
    assert.match(report, /\n▶ next\.mjs\n +✔ two/);
  });

  it('are shared by processes: each file runs in the first that takes it', () => {
    const texts = { 'a.mjs': "import { it } from 'node:test';\nit('a', () => undefined);\n" };
    const path = groupOf(texts);
    assert.match(runGroup(texts, path).report, /✔ a /);
    assert.doesNotMatch(runGroup(texts, path).report, /✔ a /);
  });
});

const files = testFiles('.', []);

test('every slow test that is listed exists', () => {
  const missing = SLOW_TESTS.filter((path) => !files.some((file) => `${file}/`.startsWith(`${path}/`)));
  assert.deepEqual(missing, [], 'it was moved or removed: correct tools/test-groups.ts');
});

test('no quick test starts a process or needs a tool', () => {
  const wrong = quickOf(files).filter((file) => looksSlow(readFileSync(file, 'utf8')));
  assert.deepEqual(wrong, [], 'add it to tools/test-groups.ts');
});

test('an import shows that a test is slow', () => {
  assert.ok(looksSlow("import { spawn } from 'node:child_process';"));
  assert.ok(looksSlow("import { k6Path } from '../evaluation/testing/tools/k6.ts';"));
  assert.ok(looksSlow("import { test } from '../evaluation/testing/reports/browser.ts';"));
  assert.ok(looksSlow("import { findTool } from '../tools/tools.ts';"));
  assert.ok(!looksSlow("import { readFileSync } from 'node:fs';"));
});

test('what only computes is slow, and starts no process', () => {
  assert.deepEqual(
    COMPUTING_TESTS.filter((path) =>
      computingOf(slowOf(files)).every((file) => !`${file}/`.startsWith(`${path}/`)),
    ),
    [],
  );
  const wrong = computingOf(files).filter((file) => looksSlow(readFileSync(file, 'utf8')));
  assert.deepEqual(wrong, []);
});

test('slow tests start in the order of the list, and a file in a listed folder only once', () => {
  const [first = '', second = ''] = SLOW_TESTS;
  const chosen = [`${second}/b.test.ts`, `${first}/c.test.ts`, `${first}/a.test.ts`, 'quick/d.test.ts'];
  assert.deepEqual(slowOf(chosen), [`${first}/c.test.ts`, `${first}/a.test.ts`, `${second}/b.test.ts`]);
  assert.deepEqual(quickOf(chosen), ['quick/d.test.ts']);
});
