import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./test-order.ts', import.meta.url));

/** Runs test files with these names and bodies of one test, in this order. */
function runInOrder(bodies: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'test-order-'));
  try {
    const files = Object.entries(bodies).map(([name, body]) => {
      const path = join(folder, `${name}.test.mjs`);
      writeFileSync(path, `import { test } from 'node:test';\ntest('${name}', () => {\n${body}\n});\n`);
      return path;
    });
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
    const args = ['--import', 'tsx', PROGRAM, ...files];
    const { status, stdout } = spawnSync(process.execPath, args, { env });
    return { status, out: stdout.toString() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('files run in the order in which they are given, and the summary comes last', () => {
  const { status, out } = runInOrder({ c: '', a: '', b: '' });
  assert.equal(status, 0, out);
  assert.deepEqual(out.match(/(?<=✔ )[abc]/g), ['c', 'a', 'b']);
  assert.match(out, /ℹ tests 3\n(ℹ .*\n)*ℹ duration_ms [\d.]+\n$/);
});

test('a failed test and a file that cannot run end with exit code 1', () => {
  const failed = runInOrder({ good: '', bad: "throw new Error('wrong');" });
  assert.equal(failed.status, 1);
  assert.match(failed.out, /✖ bad/);
  assert.match(failed.out, /ℹ fail 1\n/);
  assert.equal(runInOrder({ broken: 'a syntax error' }).status, 1);
});
