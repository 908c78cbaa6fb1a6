import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The path of the script that k6 runs. In the published package it is compiled, like this module, so its name has the
 * same ending.
 */
export const SCRIPT = fileURLToPath(new URL(`./main${extname(import.meta.url)}`, import.meta.url));
