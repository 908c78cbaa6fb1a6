import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { loadSpecification } from '../../spec/specification.ts';
import type { Exchange, JournalContents, RunRecord } from '../../suites/index.ts';
import { judge, readJournal } from '../../suites/index.ts';

const specification = await loadSpecification();

/** What can be read of a journal and what is judged from it. */
export interface Kept extends JournalContents {
  readonly exchanges: readonly Exchange[];
  readonly record: RunRecord;
}

/**
 * Reads and judges what a run against a conforming target left behind. Throws
 * an `AssertionError` where the target is accused, whatever happened to the run or to its journal.
 */
export function keptAt(path: string): Kept {
  const contents = readJournal(path);
  const record = judge(contents, specification, { strict: false });
  const accused = record.requirements.filter(({ verdict }) => verdict === 'fail');
  assert.deepEqual(
    accused.map(({ id, because }) => `${id}: ${because}`),
    [],
  );
  const exchanges = contents.lines.filter((line) => line.kind === 'exchange');
  return { ...contents, exchanges, record };
}

/** The same, where every line that was written has to stand there whole, and every exchange in its place. */
export function wholeAt(path: string): Kept {
  const kept = keptAt(path);
  assert.deepEqual(kept.damage, []);
  assert.deepEqual(
    kept.exchanges.map(({ n }) => n),
    kept.exchanges.map((_, at) => at + 1),
  );
  return kept;
}

/** What progress on standard error says was recorded: the probes that began, and the most exchanges. */
export function announced(err: string): { readonly probes: readonly string[]; readonly exchanges: number } {
  const lines = [...err.matchAll(/^ *[\d.]+ s +(\d+)\/\d+ {2}(?:([a-z-]+): )?/gm)];
  return {
    probes: lines.flatMap(([, , probe]) => (probe === undefined ? [] : [probe])),
    exchanges: Math.max(0, ...lines.map(([, sent]) => Number(sent))),
  };
}

/** A killed run has kept at least what it had announced; one that announced nothing may have no journal yet. */
export function assertKept(path: string, err: string): void {
  const said = announced(err);
  if (said.probes.length === 0 && !existsSync(path)) return;
  const { lines, exchanges } = wholeAt(path);
  const begun = lines.flatMap((line) => (line.kind === 'probe' ? [line.id] : []));
  assert.deepEqual(begun.slice(0, said.probes.length), said.probes);
  assert.ok(exchanges.length >= said.exchanges, `${exchanges.length} of ${said.exchanges} exchanges`);
}
