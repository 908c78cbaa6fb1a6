import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { groupedBy } from '../../../kernel/exchanges/collections.ts';
import { weighed } from '../../../kernel/findings/finding.ts';
import type { Verdict } from '../../../kernel/findings/record.ts';
import { register } from '../../../spec/register.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judgedByClocks } from '../../../suites/service/evidence/circumstances.ts';
import { Evidence } from '../../../suites/service/evidence/evidence.ts';
import { judge } from '../../../suites/service/judge/judge.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';
import { observables, requirements } from '../../../suites/service/requirements/index.ts';
import { assertPage } from '../tools/page.ts';
import type { Change, VerdictRow } from './edits.ts';
import { seededBy } from './limiters.ts';
import { variedJournal } from './varied-journals.ts';

const specification = await loadSpecification();

/**
 * Tests every row, and what the judges say of journals that differ from those of the rows in a thing or two
 * (`varied-journals.ts`). The page beside the test states which verdicts each requirement has rows for.
 * @param name of the test in `suites/service/requirements`.
 */
export function testJudges(
  name: string,
  conforming: readonly JournalLine[],
  all: readonly VerdictRow[],
): void {
  const rows = all.map(madeOnce);
  testRows(conforming, rows);
  test('the journals of these rows, varied in a thing or two, get the verdicts that they are known to get', () => {
    const path = `suites/service/requirements/${name}.rows.txt`;
    const page = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    const found = rows.flatMap((row) => onVariants(row, conforming, page));
    assertPage(path, `${[...verdictsOf(rows), ...found.sort()].join('\n')}\n`);
  });
}

/** A line for each requirement: the verdicts that it has rows for. */
const verdictsOf = (rows: readonly VerdictRow[]): readonly string[] =>
  [...groupedBy(rows, ({ id }) => id)]
    .map(([id, own]) => `${id}: ${[...new Set(own.map(({ verdict }) => verdict))].sort().join(', ')}`)
    .sort();

/** A row whose journal is made once: a change may remember what it selected first. */
function madeOnce(row: VerdictRow): VerdictRow {
  let made: readonly JournalLine[] | undefined;
  return { ...row, journal: (conforming) => (made ??= row.journal(conforming)) };
}

export function testRows(conforming: readonly JournalLine[], rows: readonly VerdictRow[]): void {
  for (const { id, description, journal, verdict, because = /(?:)/ } of rows) {
    test(`${id} ${verdict}: ${description}`, () => {
      const lines = onlyJudging(id)(journal(conforming));
      const { requirements: found } = judge({ lines, damage: [] }, specification, { strict: false });
      const finding = found.find((one) => one.id === id);
      assert.equal(finding?.verdict, verdict, finding?.because);
      assert.match(finding.because, because);
    });
  }
}

/** What an observable states about a journal. */
export function observed(id: string, lines: readonly JournalLine[]): string {
  const run = lines.find((line) => line.kind === 'run');
  const observable = observables.find((one) => one.id === id);
  assert.ok(observable !== undefined && run !== undefined);
  return observable.observe(new Evidence(run, lines)).value;
}

/** Each row is tested in one of so many variants, which its description decides. */
const VARIANTS = 300;

/** The verdicts on a row varied that are not its own, and those on further variants of the page: each shows an edge of a rule. */
function onVariants(
  row: VerdictRow,
  conforming: readonly JournalLine[],
  page: readonly string[],
): readonly string[] {
  const name = `${row.id}, ${row.description}, variant `;
  const further = page.flatMap((line) =>
    line.startsWith(name) ? [Number.parseInt(line.slice(name.length), 10)] : [],
  );
  const own = Math.floor(VARIANTS * seededBy(row.description)());
  return [...new Set([own, ...further])].flatMap((variant) => {
    const verdict = verdictOnVariant(conforming, row, variant);
    return variant === own && verdict === row.verdict ? [] : [`${name}${variant}: ${verdict}`];
  });
}

/** The verdict of a judge alone, without what the run as a whole adds, on the journal of a row that differs in a thing or two. */
function verdictOnVariant(
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
  return weighed(judgedByClocks(requirement, new Evidence(run, lines)), entry.level, false).verdict;
}

/** The journal of a run that judges one requirement alone, because a row reads the finding of no other. */
const onlyJudging =
  (id: string): Change =>
  (lines) =>
    lines.map((line) =>
      line.kind === 'run' ? { ...line, selection: { kind: 'selected', requirements: [id] } } : line,
    );
