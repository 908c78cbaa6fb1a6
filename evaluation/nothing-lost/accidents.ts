import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { describe } from 'node:test';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { judge } from '../../suites/service/judge/judge.ts';
import type { JournalContents } from '../../suites/service/model/journal.ts';
import { readJournal } from '../../suites/service/wire/journal.ts';
import { plansFile } from '../testing/cli/command.ts';
import { serveReference } from '../testing/cli/target.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import { reasonsOf } from '../testing/verdicts.ts';

/** Damage to a run or its journal, and what is still there afterwards: a row of the document, and a suite of tests. */
export interface Accident {
  /** What happens to the run or its journal. */
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
      'it counts as an unknown exchange, which may have used the key (`suites/service/evidence/locked-out.ts`)',
  },
} as const satisfies Readonly<Record<string, Accident>>;

/** Declares the tests of an accident, which run two at a time. */
export function describeAccident(id: keyof typeof accidents, tests: () => void): void {
  describe(accidents[id].description, { concurrency: 2 }, tests);
}

/** A run of `certify` against the reference server with this window, before it is started: its folder is `run`. */
export async function prepareRun(t: TestContext, minuteSeconds: number) {
  const cwd = temporaryFolder(t);
  const { baseUrl, keys } = await serveReference(t, minuteSeconds);
  const [key = '', other = ''] = keys.free;
  const plans = plansFile(cwd, minuteSeconds);
  const args = ['certify', '--target', baseUrl, '--plans', plans, '--out', 'run'];
  return { cwd, args, env: { PETSTORE_API_KEY: key, PETSTORE_OTHER_KEY: other } };
}

const specification = await loadSpecification();

/** The readable part of a journal, and the verdicts on it. */
interface RecordedRun extends JournalContents {
  readonly exchanges: readonly Exchange[];
  readonly record: RunRecord;
}

/**
 * Reads and judges the journal of a run against a conforming target.
 *
 * @throws {AssertionError} when a requirement fails: damage must never lead to a false fail.
 */
export function judgeWithoutFail(path: string): RecordedRun {
  const contents = readJournal(path);
  const record = judge(contents, specification, { strict: false });
  assert.deepEqual(reasonsOf(record, 'fail'), []);
  const exchanges = contents.lines.filter((line) => line.kind === 'exchange');
  return { ...contents, exchanges, record };
}

/** The same for a journal without damage: every line is complete, and no exchange is missing. */
export function judgeUndamaged(path: string): RecordedRun {
  const run = judgeWithoutFail(path);
  assert.deepEqual(run.damage, []);
  assert.deepEqual(
    run.exchanges.map(({ n }) => n),
    run.exchanges.map((_, at) => at + 1),
  );
  return run;
}

/** The probes that sent something and the highest number of exchanges in the progress output on standard error. */
function progressOf(err: string): { readonly probes: readonly string[]; readonly exchanges: number } {
  const lines = [...err.matchAll(/^ *[\d.]+ s +(\d+)\/\d+ {2}(?:([a-z-]+): )?/gm)];
  return {
    probes: lines.flatMap(([, , probe]) => (probe === undefined ? [] : [probe])),
    exchanges: Math.max(0, ...lines.map(([, sent]) => Number(sent))),
  };
}

/** The journal has at least what the progress output showed. Before the first output there may be no journal, or an empty one. */
export function assertNothingLost(path: string, err: string): void {
  const progress = progressOf(err);
  if (progress.probes.length === 0 && (!existsSync(path) || statSync(path).size === 0)) return;
  const { lines, exchanges } = judgeUndamaged(path);
  const begun = lines.flatMap((line) => (line.kind === 'probe' ? [line.id] : []));
  // The output has no line for a probe that sends nothing.
  assert.deepEqual(
    begun.filter((id) => progress.probes.includes(id)),
    progress.probes,
  );
  assert.ok(exchanges.length >= progress.exchanges, `${exchanges.length} of ${progress.exchanges} exchanges`);
}
