import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

// A file of its own: k6 reads every module that its script imports, and knows none of Node.js.

/**
 * The path of the script that k6 runs. In the published package it is compiled, like this module, so its name has the
 * same ending.
 */
export const SCRIPT = fileURLToPath(new URL(`./main${extname(import.meta.url)}`, import.meta.url));
