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

/** Declares the tests of an accident, which run two at a time. NOTHING-LOST.md states what is there after each. */
export const describeAccident = (name: string, tests: () => void): void =>
  void describe(name, { concurrency: 2 }, tests);

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
  const recorded = begun.filter((id) => progress.probes.includes(id));
  assert.deepEqual(recorded, progress.probes);
  assert.ok(exchanges.length >= progress.exchanges, `${exchanges.length} of ${progress.exchanges} exchanges`);
}
