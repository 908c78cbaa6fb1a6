import { copyFileSync, existsSync, realpathSync } from 'node:fs';
import { fileTrouble } from '../kernel/basics/file-trouble.ts';
import { ReportError } from './files.ts';

/** Copies a journal, unless both paths name one file. @throws {ReportError} when it cannot be copied. */
export function copyJournal(from: string, to: string): void {
  try {
    if (existsSync(to) && realpathSync(to) === realpathSync(from)) return;
    copyFileSync(from, to);
  } catch (error) {
    throw new ReportError(`The journal ${from} cannot be copied to ${to}: ${fileTrouble(error)}.`);
  }
}
