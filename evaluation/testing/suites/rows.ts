import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../../kernel/findings/record.ts';
import { register } from '../../../spec/register.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import type { JudgedId } from '../../../suites/service/evidence/evidence.ts';
import { judge } from '../../../suites/service/judge/judge.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';
import type { Change } from './edits.ts';

/** One row of a table of verdicts: what a journal shows, and what the judge has to say of it. */
export interface VerdictRow {
  readonly id: JudgedId;
  readonly description: string;
  /** What is different from the journal of a conforming target. */
  readonly journal: Change;
  readonly verdict: Verdict;
  /** What the finding says; anything where absent. */
  readonly because?: RegExp;
}

/**
 * Tests every row, and that every judged requirement of the chapter has a row
 * that speaks for the target and one that speaks against it.
 */
export function testChapter(
  chapter: string,
  conforming: readonly JournalLine[],
  rows: readonly VerdictRow[],
): void {
  testRows(conforming, rows);
  test(`every requirement of "${chapter}" has a row for the target and one against it`, () => {
    const judged = register.filter((one) => one.chapter === chapter && one.judged === 'by certify');
    const told = (verdict: Verdict) =>
      new Set(rows.flatMap((row) => (row.verdict === verdict ? [row.id] : [])));
    const [good, bad, mild] = [told('pass'), told('fail'), told('warn')] as const;
    const lacks = judged
      .filter(({ level }) => level !== 'OBSERVE')
      .filter(({ id, level }) => !has(good, id) || !has(level === 'MUST' ? bad : mild, id));
    assert.ok(judged.length > 0);
    assert.deepEqual(
      lacks.map(({ id }) => id),
      [],
    );
  });
}

export function testRows(conforming: readonly JournalLine[], rows: readonly VerdictRow[]): void {
  for (const { id, description, journal, verdict, because = /(?:)/ } of rows) {
    test(`${id} ${verdict}: ${description}`, async () => {
      const lines = onlyJudging(id)(journal(conforming));
      const record = judge({ lines, damage: [] }, await loadedSpecification(), { strict: false });
      const finding = record.requirements.find((one) => one.id === id);
      assert.equal(finding?.verdict, verdict, finding?.because);
      assert.match(finding.because, because);
    });
  }
}

/** The journal of a run that judges one requirement alone, because a row reads the finding of no other. */
const onlyJudging =
  (id: string): Change =>
  (lines) =>
    lines.map((line) =>
      line.kind === 'run' ? { ...line, selection: { kind: 'selected', requirements: [id] } } : line,
    );

const has = (ids: ReadonlySet<string>, id: string): boolean => ids.has(id);

let specification: ReturnType<typeof loadSpecification> | undefined;
const loadedSpecification = () => (specification ??= loadSpecification());
