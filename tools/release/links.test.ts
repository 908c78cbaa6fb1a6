import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { filesEndingIn } from '../files.ts';
import { linksOf, shippedFiles, withRepository } from './links.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const WHERE = { repository: 'https://host.example/owner/name', tag: 'v1.2.3' };

test('every link of every document leads to a file of the project', () => {
  const broken = filesEndingIn(ROOT, '.md').flatMap((path) =>
    linksOf(path, textOf(path)).flatMap((target) =>
      existsSync(join(ROOT, target)) ? [] : [`${path}: ${target}`],
    ),
  );
  assert.deepEqual(broken, []);
});

test('every link of every document of the package leads to a file of the package, or to the repository', () => {
  const shipped = shippedFiles(ROOT);
  const documents = [...shipped].filter((path) => path.endsWith('.md'));
  assert.ok(documents.includes('README.md') && documents.includes('docs/mark.md'), documents.join());
  for (const path of documents) {
    const links = linksOf(path, withRepository(path, textOf(path), shipped, WHERE));
    assert.deepEqual(
      links.filter((target) => !shipped.has(target)),
      [],
      path,
    );
  }
});

test('a link to what is not shipped leads to the repository at the tag, and code stays as it is', () => {
  const text =
    '[a](../spec/x.md#part) [`b`](c.md) ![d](../e.png) `[f](g.md)` [h](https://i.example) [j](#k)\n```\n[l](m.md)\n```\n';
  assert.equal(
    withRepository('docs/n.md', text, new Set(['docs/c.md']), WHERE),
    '[a](https://host.example/owner/name/blob/v1.2.3/spec/x.md#part) [`b`](c.md) ![d](https://host.example/owner/name/raw/v1.2.3/e.png) `[f](g.md)` [h](https://i.example) [j](#k)\n```\n[l](m.md)\n```\n',
  );
});
