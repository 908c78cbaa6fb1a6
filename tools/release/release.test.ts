import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { filesEndingIn } from '../project-files.ts';
import { linksOf, released, sectionOf, shippedFiles, withRepository } from './links.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- A change.\n\n## 0.1.0 (2026-01-01)\n\n- The first one.\n';

/** A repository with a package and a changelog, which npm can release. */
function repository(t: TestContext) {
  const folder = temporaryFolder(t);
  const program = (name: string, ...args: readonly string[]) =>
    spawnSync(name, args, { cwd: folder, encoding: 'utf8' });
  const script = (name: string) =>
    `node --import ${import.meta.resolve('tsx')} ${join(ROOT, 'tools/release', name)}`;
  const scripts = {
    preversion: script('version.ts'),
    version: script('version.ts'),
    tag: script('check-tag.ts'),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'one', version: '0.1.0', scripts }));
  writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG);
  cpSync(join(ROOT, '.npmrc'), join(folder, '.npmrc'));
  const git = (...args: readonly string[]) => program('git', ...args);
  git('init', '--quiet');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@example.com');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
  return { folder, git, npm: (...args: readonly string[]) => program('npm', ...args) };
}

test('a release sets the version, dates the changelog, bundles the action, commits and tags', (t) => {
  const { folder, git, npm } = repository(t);
  const { status, stderr } = npm('version', '0.2.0');
  assert.equal(status, 0, stderr);
  assert.equal(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version, '0.2.0');
  assert.equal(sectionOf(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), '0.2.0'), '- A change.');
  for (const file of ['action/index.js', 'spec/sets/1.0.0.json'])
    assert.ok(git('ls-files').stdout.includes(file), file);
  assert.equal(git('tag', '--list', '-n1').stdout.trim(), 'v0.2.0          Release 0.2.0');
  assert.equal(git('status', '--porcelain').stdout, '');
  assert.match(npm('run', 'tag', '--', 'v0.2.0').stdout, /\n- A change\.\n$/);
  assert.equal(npm('run', 'tag', '--', 'v0.3.0').status, 2);
  assert.match(npm('version', '0.3.0').stderr, /nothing under "## Unreleased"/);
  assert.equal(git('status', '--porcelain').stdout, '', 'nothing was changed');
});

test('the changelog of this project can be released', () => {
  const changelog = textOf('CHANGELOG.md');
  assert.ok(sectionOf(released(changelog, '99.0.0', '2026-11-22'), '99.0.0') !== undefined);
});

test('the workflow of a release checks the tag before it publishes with provenance', () => {
  const { jobs } = parse(textOf('.github/workflows/release.yml'));
  const { steps, permissions } = jobs.publish;
  assert.equal(permissions['id-token'], 'write');
  const names: readonly string[] = steps.map(({ name = '' }: { name?: string }) => name);
  assert.ok(names.indexOf('Check the tag') < names.indexOf('Publish'));
  // Provenance takes a package that names the repository in which it was built.
  const { run: named } = steps[names.indexOf('Name the repository')];
  assert.match(
    named,
    /^npm pkg set repository\.type=git repository\.url="git\+\$GITHUB_SERVER_URL\/\$GITHUB_REPOSITORY\.git"$/,
  );
  assert.ok(names.indexOf('Name the repository') < names.indexOf('Point links to the repository'));
  assert.match(steps.at(-1).run, /^npm publish --provenance --access public$/);
  assert.equal(steps.at(-1).if, "steps.package.outputs.private != 'true'");
});

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
  const watched = updates.map((one: Record<string, string>) => one['package-ecosystem']);
  assert.deepEqual(watched, ['npm', 'github-actions', 'docker']);
});

test('what the image copies exists, its base has a version, and it runs as no administrator', () => {
  const lines = textOf('Dockerfile').split('\n');
  const copied = lines.flatMap((line) => /^COPY --from=build \/app\/(\S+) /.exec(line)?.[1] ?? []);
  // `npm run build` makes dist.
  const missing = copied.filter((path) => path !== 'dist' && !existsSync(join(ROOT, path)));
  assert.deepEqual(missing, []);
  const { bin, files, scripts } = JSON.parse(textOf('package.json'));
  assert.ok(copied.includes(bin['petstore-conformance']) && scripts.build !== undefined);
  assert.ok(copied.includes('dist') && files.includes('dist'));
  assert.ok(lines.includes(`ENTRYPOINT ["node", "/app/${bin['petstore-conformance']}"]`));
  for (const line of lines.filter((one) => one.startsWith('FROM'))) assert.match(line, /^FROM node:\d+/);
  assert.ok(lines.indexOf('USER node') > lines.findLastIndex((line) => line.startsWith('COPY')));
});
