import { spawnSync } from 'node:child_process';

/** npm would not pack the package; the message is what npm printed. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
}

/**
 * Has npm build and pack the package in the current folder, without a network and without a file.
 * @returns what it would publish, in one sentence.
 * @throws {PublishError} when it would not.
 */
export function publishable(): string {
  const args = ['pack', '--dry-run', '--offline', '--json'];
  const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status !== 0) throw new PublishError(`npm would not pack the package: ${stderr.trim()}`);
  // The build may print before npm does, and npm lists the packages or names them, by its version.
  const [described] = Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m))));
  const { files, size } = described as { readonly files: readonly object[]; readonly size: number };
  return `npm would publish ${files.length} files, ${Math.ceil(size / 1000)} kB.`;
}
