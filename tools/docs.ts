import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DocsError, fillBlocks } from './docs/blocks.ts';
import { dashboards } from './docs/dashboards.ts';
import { exampleReport } from './docs/example.ts';
import { generators } from './docs/generators.ts';
import { configurationSchema } from './docs/options.ts';
import { requirementPages } from './docs/requirement-pages.ts';
import { schemas } from './docs/schemas.ts';
import { filesEndingIn } from './files.ts';

// npm run docs [-- --check]: fills the generated blocks of all Markdown documents, and writes the
// example report, the dashboard and the JSON Schemas. With --check it writes nothing and fails if any of them is out
// of date.

const root = process.cwd();
const checking = process.argv.includes('--check');

try {
  const stale: string[] = [];
  const used = new Set<string>();
  for (const file of filesEndingIn(root, '.md')) {
    if (file.startsWith('reports/example/')) continue;
    const current = await readFile(join(root, file), 'utf8');
    const { text, names } = await fillBlocks(file, current, generators);
    for (const name of names) used.add(name);
    if (text === current) continue;
    if (!checking) await writeFile(join(root, file), text);
    stale.push(file);
  }
  for (const [file, text] of [
    ...(await exampleReport()),
    ...dashboards(),
    configurationSchema(),
    ...requirementPages(),
    ...schemas(),
  ]) {
    const path = join(root, file);
    if (existsSync(path) && (await readFile(path, 'utf8')) === text) continue;
    if (!checking) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    stale.push(file);
  }
  const unused = generators.filter(({ name }) => !used.has(name)).map(({ name }) => name);
  if (unused.length > 0) throw new DocsError(`No document has the generated block ${unused.join(', ')}.`);
  if (checking && stale.length > 0) {
    throw new DocsError(`Out of date: ${stale.join(', ')}. Run "npm run docs" and commit what it writes.`);
  }
  console.log(
    checking || stale.length === 0 ? 'The generated documents are up to date.' : `Wrote ${stale.join(', ')}.`,
  );
} catch (error) {
  if (!(error instanceof DocsError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
