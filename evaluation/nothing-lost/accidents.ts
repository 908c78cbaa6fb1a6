import { describe } from 'node:test';

/** What may befall a run or its journal, and what is left then; every row of the document is one, and is tested. */
export interface Accident {
  readonly happens: string;
  readonly left: string;
}

/** Every accident; `accidents.test.ts` holds that each has tests. */
export const accidents = {
  kill: {
    happens: '`kill -9` at a random moment (100 times, seeded by `PROVE_SEED`)',
    left: 'every probe and at least as many exchanges as progress had announced, every line whole',
  },
  interrupted: {
    happens: 'Ctrl-C or SIGTERM in any probe, in a wait, while an answer is held back',
    left: 'exit code 130; the journal, whole, its last line says `interrupted`; one sentence says what to do',
  },
  'interrupted late': {
    happens: 'Ctrl-C while it judges or writes',
    left: 'the run is over: the verdict is finished, every report is whole; a second Ctrl-C ends it at once',
  },
  'full disk': {
    happens: 'the disk is full, or files may not grow',
    left: 'exit code 2 and the cause; the line that did not fit is taken back, so that no half of one stands there',
  },
  'no room for reports': {
    happens: 'no room for the reports',
    left: 'exit code 2 and the cause; each report is whole or not there; the journal stays',
  },
  'folder gone': {
    happens: 'the run’s folder is removed, moved or replaced',
    left: 'it is made anew with everything in it: the journal is still open, and is written there again',
  },
  'folder gone for good': {
    happens: 'the folder cannot be made anew',
    left: 'exit code 2 and the cause, at the next line',
  },
  'line spoiled': {
    happens: 'a line of the journal is cut, spoiled, empty, zeros, not UTF-8, another program’s',
    left: 'every other line is read and judged; the damage is told with its line number, in the report, too',
  },
  'line feed missing': {
    happens: 'a line feed is missing',
    left: 'both lines are lost, and told of',
  },
  'line twice': {
    happens: 'a line stands there twice',
    left: 'it counts once',
  },
  'line missing': {
    happens: 'a line is missing',
    left: 'in its place stands an exchange of which nothing is known: it may have been one of the key’s (`suites/evidence/accounted.ts`)',
  },
} as const satisfies Readonly<Record<string, Accident>>;

/** Puts the tests of an accident under its row, two at a time. */
export function afterwards(id: keyof typeof accidents, tests: () => void): void {
  describe(accidents[id].happens, { concurrency: 2 }, tests);
}
