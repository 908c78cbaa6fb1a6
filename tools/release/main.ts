import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ACTION_FOLDER, bundleAction } from '../package/bundle.ts';
import { ChangelogError, released } from './links.ts';

/** npm would not pack the package; the message is what npm printed. */
class PublishError extends Error {
  override readonly name = 'PublishError';
}

/**
 * Has npm build and pack the package in the current folder, without a network and without a file.
 * @returns what it would publish, in one sentence.
 * @throws {PublishError} when it would not.
 */
function publishable(): string {
  const args = ['pack', '--dry-run', '--offline', '--json'];
  const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status !== 0) throw new PublishError(`npm would not pack the package: ${stderr.trim()}`);
  // The build may print before npm does, and npm lists the packages or names them, by its version.
  const [described] = Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m))));
  const { files, size } = described as { readonly files: readonly object[]; readonly size: number };
  return `npm would publish ${files.length} files, ${Math.ceil(size / 1000)} kB.`;
}

// node --import tsx tools/release/main.ts VERSION [--dry-run], in the folder of the project: makes the commit and the tag of a release. The
// version stands in package.json alone (npm copies it to package-lock.json); the program and its reports read it from
// there. Publishing is the work of .github/workflows/release.yml, which runs when the tag is pushed, because only a
// build server can prove where a package comes from (provenance).

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean' } },
  allowPositionals: true,
});
const dryRun = values['dry-run'] === true;
const [version = ''] = positionals;

if (!/^\d+\.\d+\.\d+$/.test(version)) stop('Name the version: node --import tsx tools/release/main.ts 1.2.3');
if (output('git', 'status', '--porcelain') !== '') stop('The working tree has changes: commit them first.');
if (output('git', 'tag', '--list', `v${version}`) !== '') stop(`The tag v${version} exists already.`);
const before: string = JSON.parse(readFileSync('package.json', 'utf8')).version;
if (!isLater(version, before)) stop(`${version} is not later than ${before}, the version of package.json.`);
const changelog = changelogOf(version);
if (dryRun) {
  console.log(
    `Would set the version ${before} to ${version}, date the changelog, commit, and tag v${version}.`,
  );
  console.log(orStop(publishable, PublishError));
} else {
  writeFileSync('CHANGELOG.md', changelog);
  output('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts');
  // The action of GitHub is what the tag holds, so the bundle is part of the release and of no other commit.
  await bundleAction(ACTION_FOLDER);
  output('git', 'add', '--force', 'action');
  output('git', 'commit', '--all', '--message', `Release ${version}`);
  output('git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
  console.log(`Released ${version} here. To publish it, push the commit and the tag v${version}.`);
}

function changelogOf(next: string): string {
  const today = new Date().toISOString().slice(0, 10);
  return orStop(() => released(readFileSync('CHANGELOG.md', 'utf8'), next, today), ChangelogError);
}

/** What a function returns; an error of this kind ends the program with its message. */
function orStop(make: () => string, kind: typeof ChangelogError | typeof PublishError): string {
  try {
    return make();
  } catch (error) {
    if (error instanceof kind) return stop(error.message);
    throw error;
  }
}

function isLater(next: string, than: string): boolean {
  const old = than.split('.').map(Number);
  const difference = next
    .split('.')
    .map((part, at) => Number(part) - (old[at] ?? 0))
    .find((one) => one !== 0);
  return (difference ?? 0) > 0;
}

function output(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : stop(`${program} ${args[0]} failed: ${stderr.trim()}`);
}

function stop(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
