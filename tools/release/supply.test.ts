import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('every action of every workflow is pinned by its digest', () => {
  const workflows = readdirSync(join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`);
  assert.ok(workflows.length > 0);
  const open = workflows.flatMap((path) =>
    [...textOf(path).matchAll(/uses: *(\S+)(.*)/g)].flatMap(([whole, uses = '', comment = '']) =>
      /@[0-9a-f]{40}$/.test(uses) && /^ # v\d/.test(comment) ? [] : [`${path}: ${whole}`],
    ),
  );
  assert.deepEqual(open, []);
});

test('dependabot watches what is pinned', () => {
  const { updates } = parse(textOf('.github/dependabot.yml'));
  assert.deepEqual(
    updates.map((one: Record<string, string>) => one['package-ecosystem']),
    ['npm', 'github-actions', 'docker'],
  );
});

test('what the image copies exists, its base has a version, and it runs as no administrator', () => {
  const lines = textOf('Dockerfile').split('\n');
  const copied = lines.flatMap((line) => /^COPY --from=build \/app\/(\S+) /.exec(line)?.[1] ?? []);
  // Those that `npm ci` and `npm run build` make.
  const made = ['node_modules', 'dist'];
  assert.deepEqual(
    copied.filter((path) => !made.includes(path) && !existsSync(join(ROOT, path))),
    [],
  );
  const { bin, files, scripts } = JSON.parse(textOf('package.json'));
  assert.ok(copied.includes(bin['petstore-conformance']) && scripts.build !== undefined);
  assert.ok(made.every((path) => copied.includes(path)) && files.includes('dist'));
  assert.ok(lines.includes(`ENTRYPOINT ["node", "/app/${bin['petstore-conformance']}"]`));
  for (const line of lines.filter((one) => one.startsWith('FROM'))) assert.match(line, /^FROM node:\d+/);
  assert.ok(lines.indexOf('USER node') > lines.findLastIndex((line) => line.startsWith('COPY')));
});
