import { writeFile } from 'node:fs/promises';
import { faults } from '../../reference-server/catalogue/faults/index.ts';
import { MATRIX_PAGE, renderMatrix, weaknesses } from './matrix.ts';
import { runFaults } from './pass.ts';

// npm run evaluate -- matrix: runs the suites against every fault of the catalogue and writes the kill matrix.

const results = await runFaults(faults);
await writeFile(MATRIX_PAGE, renderMatrix(results));
for (const weakness of weaknesses(results)) {
  console.error(weakness);
  process.exitCode = 1;
}
console.log(`Wrote evaluation/MATRIX.md: ${results.length} faults.`);
