import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { JOURNAL } from '../../../reports/run-folder.ts';
import { runKindIn } from '../certificate/run-in.ts';

/** What was recorded at some paths, and the folder that it lies in. */
export type Recorded =
  | { readonly kind: 'load'; readonly folder: string }
  | { readonly kind: 'certify' | 'certify-client'; readonly folder: string; readonly journal: string };

/**
 * What was recorded at these paths: a journal, or the folder of any run, or the parts of a load run.
 * @throws {UserError} when a folder holds two runs.
 */
export async function recordedAt(paths: readonly string[]): Promise<Recorded> {
  const [path = '.', ...others] = paths;
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const folder = isFolder ? path : dirname(path);
  if (others.length > 0) return { kind: 'load', folder };
  if (!isFolder) {
    const { isClientJournal } = await import('../../../suites/client/run/journal-reader.ts');
    return { kind: isClientJournal(path) ? 'certify-client' : 'certify', folder, journal: path };
  }
  const kind = await runKindIn(path);
  return kind === 'load' ? { kind, folder } : { kind, folder, journal: join(path, JOURNAL) };
}
