import { spawnSync } from 'node:child_process';

/** npm would not publish the package; the message is what npm printed. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
}

/**
 * Has npm do everything of a publication but the upload, without a network: it builds, packs and checks the package in
 * the current folder.
 * @returns what it would publish, in one sentence.
 * @throws {PublishError} when it would not.
 */
export function publishable(): string {
  const args = ['publish', '--dry-run', '--offline', '--json', '--access', 'public'];
  const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status !== 0) throw new PublishError(`npm would not publish the package: ${stderr.trim()}`);
  // The build may print before npm does, and npm names the package around its description.
  const [described] = Object.values(JSON.parse(stdout.slice(stdout.indexOf('{\n'))));
  const { files, size } = described as { readonly files: readonly object[]; readonly size: number };
  return `npm would publish ${files.length} files, ${Math.ceil(size / 1000)} kB.`;
}
