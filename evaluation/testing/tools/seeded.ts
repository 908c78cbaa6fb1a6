import fc from 'fast-check';

// Imported before every test file by tools/run-tests.ts, so that two runs of the
// tests use the same examples. TEST_SEED selects others.

/** The seed of the examples of property tests. */
const SEED = 20_261_121;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['TEST_SEED'] ?? SEED) });
