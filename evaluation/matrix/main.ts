import { writeFile } from 'node:fs/promises';
import { faults } from '../../reference-server/catalogue/faults/index.ts';
import { MATRIX_PAGE, matrixOf, renderMatrix, weaknesses } from './matrix.ts';
import { runFaults } from './pass.ts';

// npm run evaluate -- matrix: runs the suites against every fault of the catalogue and writes the kill matrix.

const matrix = matrixOf(faults, await runFaults(faults));
await writeFile(MATRIX_PAGE, renderMatrix(matrix));
for (const weakness of weaknesses(matrix)) {
  console.error(weakness);
  process.exitCode = 1;
}
console.log(`Wrote evaluation/MATRIX.md: ${matrix.faults.length} faults.`);
