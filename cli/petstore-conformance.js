#!/usr/bin/env node
/**
 * The command. Plain JavaScript that old releases of Node can read, too, so
 * that they say what is wrong instead of stumbling over TypeScript.
 */
const OLDEST = [20, 19];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  fail(
    `This needs Node.js ${OLDEST.join('.')} or newer, and this is ${process.versions.node}: install a newer one.`,
  );
} else {
  import('tsx/esm/api')
    .then(({ register }) => {
      // Whatever tsconfig.json lies in the user's folder is not about this program.
      register({ tsconfig: false });
      return import('./main.ts');
    })
    .then(({ main }) => main(process.argv))
    .catch(notInstalled);
}

/** @param {Error & { code?: string }} error */
function notInstalled(error) {
  if (process.env.PETSTORE_DEBUG) console.error(error);
  fail(
    error.code === 'ERR_MODULE_NOT_FOUND'
      ? 'A package that this needs is missing: run "npm ci" in the folder of petstore-conformance.'
      : 'petstore-conformance could not be loaded; set PETSTORE_DEBUG=1 to see why.',
  );
}

/** @param {string} sentence */
function fail(sentence) {
  console.error(`petstore-conformance: ${sentence}`);
  process.exitCode = 2;
}
