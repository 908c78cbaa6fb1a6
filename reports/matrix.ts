import type { Product } from '../kernel/basics/product.ts';
import type { RunRecord, Verdict } from '../kernel/findings/record.ts';
import { loadRegister, register } from '../spec/register.ts';
import { jsonText } from './files.ts';
import { htmlDocument } from './html/document.ts';
import { prose } from './html/prose.ts';
import { countsOf, momentOf, outcomeSentence, outcomeSign, signText, VERDICT_SIGNS } from './outcome.ts';
import { circumstancesOf, testedText } from './subject.ts';
import type { Markup } from './written.ts';
import { bounded, markdown, markdownTable, markup } from './written.ts';

export interface NamedRecord {
  readonly name: string;
  readonly record: RunRecord;
}

/** One requirement and its verdict in each report; undefined where a report does not have it. */
interface MatrixRow {
  readonly id: string;
  readonly level: string;
  readonly chapter: string;
  readonly sentence: string;
  readonly verdicts: readonly (Verdict | undefined)[];
}

export interface VerdictMatrix {
  readonly columns: readonly NamedRecord[];
  /** In the order of the register. */
  readonly rows: readonly MatrixRow[];
}

/** Arranges reports in one table, a column for each, in their order. Requirements that none of them decided are left out. Pure. */
export function matrixOf(columns: readonly NamedRecord[]): VerdictMatrix {
  const rows = [...register, ...loadRegister].flatMap(
    ({ id, level, chapter, sentence }): readonly MatrixRow[] => {
      const verdicts = columns.map(({ record }) => record.requirements.find((one) => one.id === id)?.verdict);
      const isDecided = verdicts.some((verdict) => verdict !== undefined && verdict !== 'not-tested');
      return isDecided ? [{ id, level, chapter, sentence, verdicts }] : [];
    },
  );
  return { columns, rows };
}

const NAME_LIMIT = 80;

const outcomeText = (record: RunRecord): string => signText(outcomeSign(record));

const countsText = (record: RunRecord): string =>
  countsOf(record)
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${count} ${word}`)
    .join(', ');

const LEGEND = Object.values(VERDICT_SIGNS).map(signText).join(' · ');

export function renderMatrixMarkdown({ columns, rows }: VerdictMatrix): string {
  const records = columns.map(({ record }) => record);
  const circumstances = records.map((record) => bounded(circumstancesOf(record).join(', '), NAME_LIMIT));
  const table = markdownTable(
    ['', ...columns.map(({ name }) => bounded(name, NAME_LIMIT))],
    [
      ['Outcome', ...records.map(outcomeText)],
      ['Verdicts', ...records.map(countsText)],
      ['Circumstances', ...circumstances],
      ['Run', ...records.map(({ startedAt }) => momentOf(startedAt))],
      ...rows.map(({ id, level, verdicts }) => [
        markdown`**${id}** ${level}`,
        ...verdicts.map((verdict) => (verdict === undefined ? '' : VERDICT_SIGNS[verdict].mark)),
      ]),
    ],
  );
  return `${table}\n\n${markdown`${LEGEND}`}\n`;
}

/** The table for programs: the reports, and the verdicts of each requirement in their order. */
export function renderMatrixJson({ columns, rows }: VerdictMatrix): string {
  const reports = columns.map(({ name, record }) => ({
    name,
    subject: record.subject,
    tested: testedText(record),
    startedAt: record.startedAt,
    outcome: outcomeSign(record).word,
  }));
  return jsonText({ schemaVersion: 1, reports, requirements: rows });
}

/** The table as one page for a person, without scripts and without anything loaded from elsewhere. */
export function renderMatrixHtml({ columns, rows }: VerdictMatrix): string {
  const heads = columns.map(
    ({ name, record }) =>
      markup`<th scope="col">${bounded(name, NAME_LIMIT)}<br><span class="level">${momentOf(record.startedAt)}</span></th>`,
  );
  const outcomes = columns.map(
    ({ record }) =>
      markup`<td>${outcomeText(record)}<br><span class="quiet">${outcomeSentence(record)}</span></td>`,
  );
  const body = rows.map(
    ({
      id,
      level,
      sentence,
      verdicts,
    }) => markup`<tr><th scope="row">${id} <span class="level">${level}</span></th><td>${prose(sentence)}</td>${verdicts.map(cell)}</tr>
`,
  );
  return tablePage({
    title: `${columns.length} reports side by side`,
    kind: 'petstore-conformance',
    name: 'Verdicts of every report',
    head: markup`<th scope="col">Requirement</th><th scope="col">What is required</th>${heads}`,
    rows: [markup`<tr><th scope="row">Outcome</th><td></td>${outcomes}</tr>\n`, ...body],
    note: LEGEND,
  });
}

/** A page with one wide table, for a person. */
interface TablePage {
  readonly title: string;
  readonly kind: string;
  readonly introduction?: Markup;
  readonly name: string;
  readonly head: Markup;
  readonly rows: readonly Markup[];
  readonly note: string;
}

const tablePage = ({ title, kind, introduction, name, head, rows, note }: TablePage): string =>
  htmlDocument(
    title,
    markup`<header class="masthead"><p class="kind">${kind}</p><h1>${title}</h1>${introduction}</header>
<main id="main"><section class="wide matrix" aria-label="${name}" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${rows}</tbody></table></section>
<p class="quiet">${note}</p>
</main>
`,
  );

const cell = (verdict: Verdict | undefined) =>
  verdict === undefined
    ? markup`<td></td>`
    : markup`<td class="${verdict}"><span class="badge">${signText(VERDICT_SIGNS[verdict])}</span></td>`;

export interface ListedRow {
  /** What a user named the row, or the folder. */
  readonly name: string;
  readonly result: 'pass' | 'fail' | 'inconclusive';
  /** The words of the badge: `conforms: core`. */
  readonly words: string;
  /** What the certificate is about; undefined where it is not true. */
  readonly certified?: ListedCertificate | undefined;
  /** Why it is not listed as conforming, and what else a reader needs to know, in sentences. */
  readonly notes: readonly string[];
}

/** What a verified certificate states. Days are `2026-11-25`, or a text that says that there is none. */
interface ListedCertificate {
  readonly product: Product;
  /** The address of a service, or the command of a client. */
  readonly tested: string;
  readonly suite: string;
  readonly run: string;
  readonly expires: string;
  readonly signers: readonly string[];
}

const TEXT_LIMIT = 120;
/** Characters of one sentence: that of a changed certificate names every requirement. */
const NOTE_LIMIT = 600;
const MOST_NOTES = 5;

/** Certificates as one page for a person, without scripts and without anything loaded from elsewhere. @param judged the day and the version. */
export function renderListing(rows: readonly ListedRow[], judged: { day: string; suite: string }): string {
  const conforming = rows.filter(({ result }) => result === 'pass').length;
  return tablePage({
    title: `${conforming} of ${rows.length} certificates conform`,
    kind: 'Pet Store Service · conformance listing',
    introduction: markup`
<p>On ${judged.day}, version ${judged.suite} of the suite verified each certificate with the keys of this listing and judged its journal again. A row says where that was not possible.</p>`,
    name: 'Certificates',
    head: markup`${HEADS.map((head) => markup`<th scope="col">${head}</th>`)}`,
    rows: rows.map(rowOf),
    note: 'A certificate proves that the holder of the key vouches for the record, and that the verdicts follow from it. Product and version are what the holder states.',
  });
}

const HEADS = ['Product', 'Version', 'Level', 'Run', 'Valid until', 'Suite', 'Signed by'] as const;

function rowOf({ name, result, words, certified, notes }: ListedRow): Markup {
  const { product, tested, ...facts } = certified ?? NONE;
  const title = [product.name, product.vendor].filter((one) => one !== undefined).join(', ');
  const cells = [
    product.version ?? '',
    markup`<span class="badge ${result}"><span aria-hidden="true">${VERDICT_SIGNS[result].mark}</span> ${short(words)}</span>${notesOf(notes)}`,
    facts.run,
    facts.expires,
    facts.suite,
    facts.signers.join(', '),
  ].map((cell) => markup`<td>${typeof cell === 'string' ? short(cell) : cell}</td>`);
  return markup`<tr><th scope="row">${short(title === '' ? name : title)}<br><span class="level">${short(tested)}</span></th>${cells}</tr>
`;
}

const NONE: ListedCertificate = { product: {}, tested: '', suite: '', run: '', expires: '', signers: [] };

const short = (text: string): string => bounded(text, TEXT_LIMIT);

const notesOf = (notes: readonly string[]): Markup =>
  markup`${[
    ...notes.slice(0, MOST_NOTES),
    ...(notes.length > MOST_NOTES ? [`And ${notes.length - MOST_NOTES} more.`] : []),
  ].map((note) => markup`<br><span class="quiet">${prose(bounded(note, NOTE_LIMIT))}</span>`)}`;
