import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { compileModules } from './compile-modules.ts';

const SOURCES: Readonly<Record<string, string>> = {
  'words/shared.ts': 'export const shared: object = {};\nexport const url: string = import.meta.url;\n',
  'one/a.test.ts':
    "export { shared, url } from '../words/shared.ts';\nexport const folder = import.meta.dirname;\n",
  'two/a.test.ts': "export { shared, url } from '../words/shared.ts';\n",
};

const root = temporaryFolder({ after });
let moduleOf: (file: string) => string;
before(async () => {
  for (const [path, text] of Object.entries(SOURCES)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  moduleOf = await compileModules(root, ['one/a.test.ts', 'two/a.test.ts'], 'compiled');
});

const load = (file: string) => import(pathToFileURL(moduleOf(file)).href);

test('every file has a module of its own', () => {
  assert.equal(moduleOf('one/a.test.ts'), join(root, 'compiled', 'one', 'a.test.mjs'));
});

test('a module finds the files beside its source', async () => {
  const { folder, url } = await load('one/a.test.ts');
  assert.equal(folder, join(root, 'one'));
  assert.equal(url, pathToFileURL(join(root, 'words', 'shared.ts')).href);
});

test('what two files import is the same for both', async () => {
  const [one, two] = [await load('one/a.test.ts'), await load('two/a.test.ts')];
  assert.equal(one.shared, two.shared);
});
