import { join } from 'node:path';
import { renderMatrix } from './markdown.ts';
import type { Matrix } from './matrix.ts';

/** The folder of the committed matrix. */
const FOLDER = join(import.meta.dirname, '..');

/** The committed files of a matrix, by path. */
export function matrixFiles(matrix: Matrix): ReadonlyMap<string, string> {
  return new Map([
    [join(FOLDER, 'MATRIX.md'), renderMatrix(matrix)],
    [join(FOLDER, 'matrix.json'), matrixJson(matrix)],
  ]);
}

/** JSON with one line for each fault and each requirement, so that a diff shows what changed. */
function matrixJson({ schemaVersion, faults, requirements }: Matrix): string {
  const lines = (all: readonly unknown[]) => all.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
  return `{\n  "schemaVersion": ${schemaVersion},\n  "faults": [\n${lines(faults)}\n  ],\n  "requirements": [\n${lines(requirements)}\n  ]\n}\n`;
}
