import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { released, sectionOf } from './changelog.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- A change.\n\n## 0.1.0 (2026-01-01)\n\n- The first one.\n';

/** A repository with a package and a changelog. */
function repository(t: TestContext, changelog = CHANGELOG) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-release-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const program = (name: string, ...args: readonly string[]) =>
    spawnSync(name, args, { cwd: folder, encoding: 'utf8' });
  writeFileSync(join(folder, 'package.json'), '{\n  "name": "one",\n  "version": "0.1.0"\n}\n');
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const git = (...args: readonly string[]) =>
    program('git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args);
  git('init', '--quiet');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@example.com');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
  const script = (name: string, ...args: readonly string[]) =>
    program(
      process.execPath,
      '--import',
      import.meta.resolve('tsx'),
      join(ROOT, 'tools/release', name),
      ...args,
    );
  return { folder, git, script };
}

test('a release sets the version, dates the changelog, commits and tags', (t) => {
  const { folder, git, script } = repository(t);
  const { status, stderr } = script('main.ts', '0.2.0');
  assert.equal(status, 0, stderr);
  assert.equal(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version, '0.2.0');
  assert.equal(sectionOf(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), '0.2.0'), '- A change.');
  assert.equal(git('tag', '--list').stdout.trim(), 'v0.2.0');
  assert.equal(git('status', '--porcelain').stdout, '');
  const checked = script('check-tag.ts', 'v0.2.0');
  assert.equal(checked.stdout, '- A change.\n');
  assert.equal(script('check-tag.ts', 'v0.3.0').status, 2);
  const again = script('main.ts', '0.3.0');
  assert.match(again.stderr, /nothing under "## Unreleased"/);
});

test('a dry run changes nothing', (t) => {
  const { git, script } = repository(t);
  const { status, stdout } = script('main.ts', '0.2.0', '--dry-run');
  assert.equal(status, 0);
  assert.match(stdout, /Would set the version 0\.1\.0 to 0\.2\.0/);
  assert.match(stdout, /npm would publish 2 files, 1 kB\./);
  assert.equal(git('tag', '--list').stdout, '');
  assert.equal(git('status', '--porcelain').stdout, '');
});

test('a dry run finds a package that cannot be built', (t) => {
  const { folder, git, script } = repository(t);
  const broken = { name: 'one', version: '0.1.0', scripts: { prepack: 'exit 1' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(broken));
  git('commit', '--quiet', '--all', '--message', 'Second');
  const { status, stderr } = script('main.ts', '0.2.0', '--dry-run');
  assert.equal(status, 2);
  assert.match(stderr, /^npm would not pack the package: /);
});

test('a version that is not later, a change that is not committed, and no version each get a sentence', (t) => {
  const { folder, script } = repository(t);
  assert.match(script('main.ts', '0.1.0').stderr, /0\.1\.0 is not later than 0\.1\.0/);
  assert.match(script('main.ts', 'soon').stderr, /Name the version/);
  writeFileSync(join(folder, 'package.json'), '{ "version": "0.1.5" }');
  assert.match(script('main.ts', '0.2.0').stderr, /has changes: commit them first/);
});

test('the changelog of this project can be released', () => {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  assert.ok(sectionOf(released(changelog, '99.0.0', '2026-11-22'), '99.0.0') !== undefined);
});

test('the workflow of a release checks the tag before it publishes with provenance', () => {
  const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8'));
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
