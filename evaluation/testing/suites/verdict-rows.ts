import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Finding, Verdict } from '../../../kernel/findings/record.ts';
import { register } from '../../../spec/register.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import type { JudgedId } from '../../../suites/service/evidence/evidence.ts';
import { judge } from '../../../suites/service/judge/judge.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';
import { requirements } from '../../../suites/service/requirements/index.ts';
import type { Change, VerdictRow } from './edits.ts';
import { variedJournal } from './varied-journals.ts';

/** Verdicts on journals that differ from the stated ones in a thing or two (`varied-journals.ts`): those that show an edge of a rule. */
const VARIED_JOURNALS = 'suites/service/requirements/varied-journals.txt';

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
  test(`journals of "${chapter}" that differ in a thing or two get the verdicts that they are known to get`, async () => {
    const lines = readFileSync(VARIED_JOURNALS, 'utf8').trim().split('\n');
    for (const line of lines.filter((one) => one.startsWith(`${chapter}: `))) {
      const [, stated, variant, verdict] = /^.+?: (.+), variant ([0-9]+): ([a-z -]+)$/.exec(line) ?? [];
      const row = rows.find(({ id, description }) => stated === `${id}, ${description}`);
      assert.ok(row !== undefined, line);
      const finding = await findingOnVariant(conforming, row, Number(variant));
      assert.equal(finding?.verdict, verdict, `${line}\n${finding?.because}`);
    }
  });
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
      const finding = await findingOn(id, journal(conforming));
      assert.equal(finding?.verdict, verdict, finding?.because);
      assert.match(finding.because, because);
    });
  }
}

async function findingOn(id: JudgedId, lines: readonly JournalLine[]): Promise<Finding | undefined> {
  const specification = await loadedSpecification();
  const { requirements: found } = judge({ lines: onlyJudging(id)(lines), damage: [] }, specification, {
    strict: false,
  });
  return found.find((one) => one.id === id);
}

/** The finding on the journal of a row that differs in a thing or two. */
export function findingOnVariant(
  conforming: readonly JournalLine[],
  { id, journal }: VerdictRow,
  variant: number,
): Promise<Finding | undefined> {
  const probes = requirements.find((one) => one.id === id)?.probes.map((probe) => probe.id) ?? [];
  const varied = variedJournal(journal(conforming), `${id} ${variant}`, (probe) => probes.includes(probe));
  return findingOn(id, varied);
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
