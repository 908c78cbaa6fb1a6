import { readFileSync } from 'node:fs';
import type { ClientCertificate } from '../certify.ts';
import type { Mode } from './subjects.ts';

/** What was measured of one library. */
export interface LibraryResult {
  /** Of the language, or of the tool itself. */
  readonly runtime: string;
  readonly certificates: Readonly<Partial<Record<Mode, ClientCertificate>>>;
}

/** The file of the committed results. */
export const LIBRARIES_FILE = new URL('results.json', import.meta.url);

/** The committed results, by the id of the library. */
export const readLibraries = (): Readonly<Record<string, LibraryResult>> =>
  JSON.parse(readFileSync(LIBRARIES_FILE, 'utf8'));
