import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { judge } from '../../suites/service/judge/judge.ts';
import type { JournalContents } from '../../suites/service/model/journal.ts';
import { readJournal } from '../../suites/service/wire/journal-reader.ts';

const specification = await loadSpecification();

/** The readable part of a journal, and the verdicts on it. */
export interface RecordedRun extends JournalContents {
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
  const failed = record.requirements.filter(({ verdict }) => verdict === 'fail');
  assert.deepEqual(
    failed.map(({ id, because }) => `${id}: ${because}`),
    [],
  );
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
