import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { weighed } from '../../../kernel/findings/finding.ts';
import type { Finding, Verdict } from '../../../kernel/findings/record.ts';
import { register } from '../../../spec/register.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import type { JudgedId } from '../../../suites/service/evidence/evidence.ts';
import { Evidence } from '../../../suites/service/evidence/evidence.ts';
import { judge } from '../../../suites/service/judge/judge.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';
import { requirements } from '../../../suites/service/requirements/index.ts';
import { assertPage } from '../tools/page.ts';
import type { Change, VerdictRow } from './edits.ts';
import { seededBy } from './limiters.ts';
import { variedJournal } from './varied-journals.ts';

/** Verdicts on journals that differ from the stated ones in a thing or two (`varied-journals.ts`). */
const VARIED_JOURNALS = 'suites/service/requirements/varied-journals.txt';

/**
 * Tests every row, and that every judged requirement of the chapter has a row
 * that speaks for the target and one that speaks against it.
 */
export function testChapter(
  chapter: string,
  conforming: readonly JournalLine[],
  all: readonly VerdictRow[],
): void {
  const rows = all.map(madeOnce);
  testRows(conforming, rows);
  testVaried(chapter, conforming, rows);
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

/** A row whose journal is made once: a change may remember what it selected first. */
function madeOnce(row: VerdictRow): VerdictRow {
  let made: readonly JournalLine[] | undefined;
  return { ...row, journal: (conforming) => (made ??= row.journal(conforming)) };
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

/** Each row is tested in one of so many variants, which its description decides. */
const VARIANTS = 300;

/**
 * Tests what each judge has to say of the journals of its rows where these differ in a thing or two. The page states the
 * verdicts that are not those of the rows, and more variants, each of which shows an edge of a rule.
 */
function testVaried(chapter: string, conforming: readonly JournalLine[], rows: readonly VerdictRow[]): void {
  test(`journals of "${chapter}" that differ in a thing or two get the verdicts that they are known to get`, () => {
    const page = readFileSync(VARIED_JOURNALS, 'utf8').trim().split('\n');
    const isOwn = (line: string): boolean => line.startsWith(`${chapter}: `);
    const found = rows.flatMap((row) => {
      const name = `${chapter}: ${row.id}, ${row.description}, variant `;
      const further = page.flatMap((line) =>
        line.startsWith(name) ? [Number.parseInt(line.slice(name.length), 10)] : [],
      );
      const own = Math.floor(VARIANTS * seededBy(row.description)());
      return [...new Set([own, ...further])].flatMap((variant) => {
        const verdict = verdictOnVariant(conforming, row, variant);
        return variant === own && verdict === row.verdict ? [] : [`${name}${variant}: ${verdict}`];
      });
    });
    const stated = [...page.filter((line) => !isOwn(line)), ...found].sort();
    assertPage(VARIED_JOURNALS, `${stated.join('\n')}\n`);
  });
}

/** The verdict of a judge alone, without what the run as a whole adds, on the journal of a row that differs in a thing or two. */
export function verdictOnVariant(
  conforming: readonly JournalLine[],
  { id, journal }: VerdictRow,
  variant: number,
): Verdict {
  const requirement = requirements.find((one) => one.id === id);
  const probes = new Set<string>(requirement?.probes);
  const lines = variedJournal(journal(conforming), `${id} ${variant}`, (probe) => probes.has(probe));
  const run = lines.find((line) => line.kind === 'run');
  const entry = register.find((one) => one.id === id);
  assert.ok(
    requirement !== undefined && run !== undefined && entry !== undefined && entry.level !== 'OBSERVE',
  );
  return weighed(requirement.judge(new Evidence(run, lines)), entry.level, false).verdict;
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
