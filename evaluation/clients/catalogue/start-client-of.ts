import { fileURLToPath } from 'node:url';

const START = fileURLToPath(new URL('start.js', import.meta.url));

/** The command that starts a client of the catalogue, and its arguments. */
export const startClientOf = (id: string): readonly string[] => [process.execPath, START, id];
