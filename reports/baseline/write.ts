import { existsSync, writeFileSync } from 'node:fs';
import { fileTrouble } from '../../kernel/basics/file-trouble.ts';
import { countOf } from '../../kernel/basics/text.ts';
import { UserError } from '../../kernel/basics/user-error.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { baselineOf, baselineText, readBaseline } from './file.ts';

/**
 * Writes the violations of a record as a baseline. Where the file exists, its entries keep their reason, owner and
 * expiry, and those that no longer fail are removed.
 * @returns a sentence that names what changed.
 * @throws {UserError} when the file exists and is no baseline, or cannot be written.
 */
export function writeBaseline(record: RunRecord, path: string): string {
  const before = existsSync(path) ? readBaseline(path) : { violations: [] };
  const after = baselineOf(record, before);
  try {
    writeFileSync(path, baselineText(after));
  } catch (error) {
    throw new UserError(`The baseline ${path} cannot be written: ${fileTrouble(error)}.`);
  }
  const idsBefore = before.violations.map(({ id }) => id);
  const ids = after.violations.map(({ id }) => id);
  const added = ids.filter((id) => !idsBefore.includes(id));
  const removed = idsBefore.filter((id) => !ids.includes(id));
  const changes = [
    added.length === 0 ? '' : ` Added: ${added.join(', ')}; state a reason and an owner for each.`,
    removed.length === 0 ? '' : ` Removed, because it no longer fails: ${removed.join(', ')}.`,
  ].join('');
  return `Baseline: ${path} (${countOf(ids.length, 'known violation')}).${changes}`;
}
