import { join } from 'node:path';
import { renderMatrix } from './markdown.ts';
import type { Matrix } from './matrix.ts';

/** Where the committed matrix lies. */
const FOLDER = join(import.meta.dirname, '..');

/** The committed files of a matrix, by path. */
export function matrixFiles(matrix: Matrix): ReadonlyMap<string, string> {
  return new Map([
    [join(FOLDER, 'MATRIX.md'), renderMatrix(matrix)],
    [join(FOLDER, 'matrix.json'), json(matrix)],
  ]);
}

/** One line for each fault and each requirement, so that a change is seen where it is. */
function json({ schemaVersion, faults, requirements }: Matrix): string {
  const lines = (all: readonly unknown[]) => all.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
  return `{\n  "schemaVersion": ${schemaVersion},\n  "faults": [\n${lines(faults)}\n  ],\n  "requirements": [\n${lines(requirements)}\n  ]\n}\n`;
}
