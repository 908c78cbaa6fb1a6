#!/usr/bin/env node
/**
 * The address of the command, for pipelines and for `bin` of the package. It is plain JavaScript that old releases of Node can run, so that they print which release is needed
 * instead of a syntax error.
 */
import { existsSync } from 'node:fs';

const OLDEST = [20, 19];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  fail(
    `Node.js ${OLDEST.join('.')} or newer is needed, and this is ${process.versions.node}: install a newer release.`,
  );
} else {
  program()
    .then(({ main }) => main(process.argv))
    .catch(notInstalled);
}

/** The program: from its source in a clone, compiled in the published package, which has no source. */
async function program() {
  if (!existsSync(new URL('../interfaces/command/main.ts', import.meta.url)))
    return import('../dist/command.js');
  // Releases of Node from 22.18 on run TypeScript themselves, and start sooner so.
  if (process.features.typescript !== 'strip') {
    const { register } = await import('tsx/esm/api');
    // A tsconfig.json in the user's folder does not apply to this program.
    register({ tsconfig: false });
  }
  return import('../interfaces/command/main.ts');
}

/** @param {Error & { code?: string }} error */
function notInstalled(error) {
  if (process.env.PETSTORE_DEBUG) console.error(error);
  fail(
    error.code === 'ERR_MODULE_NOT_FOUND'
      ? 'A package is missing: run "npm ci" in the folder of petstore-conformance.'
      : 'The program could not be loaded: set PETSTORE_DEBUG=1 to see why.',
  );
}

/** @param {string} sentence */
function fail(sentence) {
  console.error(`petstore-conformance: ${sentence}`);
  process.exitCode = 2;
}
