import {
  clientMatrixSummary,
  conformingClientRows,
  faultyClientRows,
  libraryFixRows,
  libraryRows,
  librarySummary,
  REQUIREMENTS,
} from '../../evaluation/clients/tables.ts';
import { table } from './blocks.ts';

/** The faulty clients of the catalogue with their verdicts. */
export const faultyClients = (): string =>
  [
    clientMatrixSummary(),
    table(['Client', 'What it does', 'Seen in', ...REQUIREMENTS, 'Advice'], faultyClientRows()),
  ].join('\n\n');

/** The conforming clients of the catalogue with their verdicts. */
export const conformingClients = (): string =>
  table(['Client', 'What it does', ...REQUIREMENTS, 'Advice'], conformingClientRows());

/** HTTP libraries as they are shipped and as they are configured. */
export const clientLibraries = (): string =>
  [
    librarySummary(),
    table(['Language', 'Library', 'Version', ...REQUIREMENTS, 'Advice', 'Configured'], libraryRows()),
  ].join('\n\n');

/** The fix for each library. */
export const clientLibraryFixes = (): string => table(['Library', 'Version', 'Fix'], libraryFixRows());
