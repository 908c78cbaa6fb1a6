import { writeFile } from 'node:fs/promises';
import { faults } from '../../catalogue/index.ts';
import { matrixFiles } from './files.ts';
import { matrixOf, weaknesses } from './matrix.ts';
import { runFaults } from './pass.ts';

// npm run matrix: runs the suites against every fault of the catalogue and writes the kill matrix.

const matrix = matrixOf(faults, await runFaults(faults));
for (const [path, text] of matrixFiles(matrix)) await writeFile(path, text);
for (const weakness of weaknesses(matrix)) {
  console.error(weakness);
  process.exitCode = 1;
}
console.log(`Wrote evaluation/MATRIX.md and evaluation/matrix.json: ${matrix.faults.length} faults.`);
