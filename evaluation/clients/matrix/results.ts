import { readFileSync } from 'node:fs';
import type { ClientCertificate } from '../certify.ts';

/** What `npm run evaluate -- clients` measured of the clients of the catalogue. */
export type ClientMatrix = Readonly<Record<string, ClientCertificate>>;

/** The file of the committed results. */
export const CLIENT_MATRIX_FILE = new URL('results.json', import.meta.url);

/** The committed results, by the id of the client. */
export const readClientMatrix = (): ClientMatrix => JSON.parse(readFileSync(CLIENT_MATRIX_FILE, 'utf8'));
