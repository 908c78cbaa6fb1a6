import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { dealt, groupModule } from './test-groups.ts';

describe('test files in groups', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-groups-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a group of test files with these texts; the exit code, and what the reporter printed. */
  const runGroup = (texts: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    const path = join(folder, 'group.mjs');
    writeFileSync(
      path,
      groupModule(Object.keys(texts), (file) => join(folder, file)),
    );
    const env = { PATH: process.env['PATH'] };
    const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', path], { env });
    return { status, report: stdout.toString() };
  };

  it('are dealt out one by one, and no group is empty', () => {
    assert.deepEqual(dealt(['a', 'b', 'c'], 2), [['a', 'c'], ['b']]);
    assert.deepEqual(dealt(['a'], 2), [['a']]);
    assert.deepEqual(dealt([], 2), []);
  });

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
    const { status, report } = runGroup({ 'broken.mjs': "import './nowhere.mjs';\n" });
    assert.equal(status, 1);
    assert.match(report, /broken\.mjs[\s\S]*ERR_MODULE_NOT_FOUND/);
  });
});
