import fc from 'fast-check';

// Imported before every test file by tools/run-tests.ts. The gate must say the
// same of the same code twice; TEST_SEED draws other examples.

/** What the examples of property tests are drawn from. */
const SEED = 20_261_121;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['TEST_SEED'] ?? SEED) });
