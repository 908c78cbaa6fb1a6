import type { Product } from '../../kernel/basics/product.ts';
import { bounded } from '../foreign-text.ts';
import { htmlDocument } from '../html/document.ts';
import { prose } from '../html/prose.ts';
import { VERDICT_SIGNS } from '../outcome.ts';
import type { Markup } from '../written.ts';
import { joined, markup } from '../written.ts';

/** One certificate in a listing. Texts are foreign. */
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
export interface ListedCertificate {
  readonly product: Product;
  /** The address of a service, or the command of a client. */
  readonly tested: string;
  readonly suite: string;
  readonly run: string;
  readonly expires: string;
  readonly signers: readonly string[];
}

/** Characters of one text of a row. */
const TEXT_LIMIT = 120;
/** Characters of one sentence: that of a changed certificate names every requirement. */
const NOTE_LIMIT = 600;
const MOST_NOTES = 5;

/** Certificates as one page for a person, without scripts and without anything loaded from elsewhere. @param judged the day and the version. */
export function renderListing(rows: readonly ListedRow[], judged: { day: string; suite: string }): string {
  const conforming = rows.filter(({ result }) => result === 'pass').length;
  const title = `${conforming} of ${rows.length} certificates conform`;
  return htmlDocument({
    title,
    body: markup`<header class="masthead"><p class="kind">Pet Store Service · conformance listing</p><h1>${title}</h1>
<p>On ${judged.day}, version ${judged.suite} of the suite verified each certificate with the keys of this listing and judged its journal again. A row says where that was not possible.</p></header>
<main id="main"><section class="wide matrix" aria-label="Certificates" tabindex="0"><table>
<thead><tr>${HEADS.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(rowOf)}</tbody></table></section>
<p class="quiet">A certificate proves that the holder of the key vouches for the record, and that the verdicts follow from it. Product and version are what the holder states.</p>
</main>
`,
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
  markup`${joined(
    [
      ...notes.slice(0, MOST_NOTES),
      ...(notes.length > MOST_NOTES ? [`And ${notes.length - MOST_NOTES} more.`] : []),
    ].map((note) => markup`<br><span class="quiet">${prose(bounded(note, NOTE_LIMIT))}</span>`),
    '',
  )}`;
