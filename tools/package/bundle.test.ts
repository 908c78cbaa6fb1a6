import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { keepReachable } from './bundle.ts';

test('only declarations that an entry leads to are kept, whichever way they are named', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'inner'));
  const files: Readonly<Record<string, string>> = {
    'index.d.ts':
      "export type { A } from './inner/a.ts';\nexport declare const b: import('./inner/b.ts').B;\n",
    'inner/a.d.ts': 'import "../effect.js";\nimport type { Other } from "elsewhere";\n',
    'inner/b.d.ts': "export type { B } from './a.ts';\n",
    'effect.d.ts': 'export {};\n',
    'inner/unreachable.d.ts': "export type { A } from './a.ts';\n",
    'inner/unreachable.js': '',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  keepReachable(folder, [join(folder, 'index.d.ts')]);
  const kept = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('.'),
  );
  assert.deepEqual(
    kept.sort(),
    Object.keys(files)
      .filter((name) => name !== 'inner/unreachable.d.ts')
      .sort(),
  );
  writeFileSync(join(folder, 'index.d.ts'), "export * from './gone.ts';\n");
  assert.throws(() => keepReachable(folder, [join(folder, 'index.d.ts')]), { code: 'ENOENT' });
});
