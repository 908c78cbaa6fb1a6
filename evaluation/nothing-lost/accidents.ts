import { describe } from 'node:test';

/** Damage to a run or its journal, and what is still there afterwards: a row of the document, and a suite of tests. */
export interface Accident {
  /** What description to the run or its journal. */
  readonly description: string;
  /** What the user still has afterwards, or how the run ends. */
  readonly expected: string;
}

/** Every accident; `accidents.test.ts` checks that each has tests. */
export const accidents = {
  kill: {
    description: '`kill -9` at a random moment (100 times, seeded by `PROVE_SEED`)',
    expected:
      'the journal has every probe and exchange that the progress output showed, and every line is complete',
  },
  interrupted: {
    description: 'Ctrl-C or SIGTERM during any probe, or during a wait',
    expected:
      'exit code 130 and a sentence that says what to do; the journal is complete, and its last line has `interrupted`',
  },
  'interrupted late': {
    description: 'Ctrl-C while the run is judged or the reports are written',
    expected: 'the command finishes the verdict and all reports; a second Ctrl-C ends it at once',
  },
  'full disk': {
    description: 'the disk is full, or the size of files is limited',
    expected:
      'exit code 2 and the cause; the journal ends with its last complete line. `watch` passes everything on until Ctrl-C',
  },
  'no space for reports': {
    description: 'there is no space for the reports',
    expected: 'exit code 2 and the cause; each report is complete or absent; the journal is unchanged',
  },
  'folder gone': {
    description: 'the output folder is removed, moved or replaced',
    expected: 'the folder is created again with the complete journal and all reports',
  },
  'folder gone for good': {
    description: 'the output folder is removed and cannot be created again',
    expected: 'exit code 2 and the cause, when the next line is written',
  },
  'line damaged': {
    description: 'a line of the journal is cut, overwritten, empty, not UTF-8, or from another program',
    expected:
      'all other lines are read and judged; the damage is reported with its line number, also in the report',
  },
  'line feed missing': {
    description: 'a line feed of the journal is missing',
    expected: 'the two joined lines are lost, and the damage is reported',
  },
  'line duplicated': {
    description: 'a line of the journal occurs twice',
    expected: 'it counts once',
  },
  'line missing': {
    description: 'a line of the journal is missing',
    expected:
      'it counts as an unknown exchange, which may have used the key (`suites/service/evidence/accounted.ts`)',
  },
} as const satisfies Readonly<Record<string, Accident>>;

/** Declares the tests of an accident, which run two at a time. */
export function describeAccident(id: keyof typeof accidents, tests: () => void): void {
  describe(accidents[id].description, { concurrency: 2 }, tests);
}
