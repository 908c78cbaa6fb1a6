import { createHash } from 'node:crypto';
import { COMMAND } from '../../kernel/basics/text.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { baselineSentences } from '../baseline.ts';
import {
  countsOf,
  durationOf,
  momentOf,
  outcomeSentence,
  outcomeSign,
  requestsOf,
  VERDICTS,
} from '../outcome.ts';
import { plotStyle } from '../plots/plot.ts';
import { subjectFacts, testedText } from '../subject.ts';
import type { Markup } from '../written.ts';
import { bounded, markup } from '../written.ts';
import { ADDRESS_LIMIT, code, FACT_LIMIT, prose } from './prose.ts';
import { printStyle, style } from './style.ts';

/** The class of a chapter's rows, by its place in the register. */
export const chapterClass = (at: number): string => `chapter-${at + 1}`;

/** Controls that filter the table of requirements by verdict and chapter. They work by style rules alone (`filterStyle`). */
export function filterControls(record: RunRecord, chapters: readonly string[]): Markup {
  const counts = countsOf(record).filter(({ count }) => count > 0);
  return markup`<div class="filter" role="group" aria-label="Filter">
<fieldset><legend>Verdict</legend>
<label><input type="radio" name="verdict" id="show-all" checked> all</label>
${counts.map(({ verdict, mark, word, count }) => markup`<label><input type="radio" name="verdict" id="show-${verdict}"> <span class="badge ${verdict}"><span aria-hidden="true">${mark}</span> ${word}</span> ${count}</label>\n`)}</fieldset>
<p><label for="chapter">Chapter</label> <select id="chapter"><option value="all">all</option>${chapters.map((chapter, at) => markup`<option value="${chapterClass(at)}">${chapter}</option>`)}</select></p>
<p hidden><label for="search">Search</label> <input type="search" id="search" autocomplete="off"> <output id="found" for="search"></output></p>
</div>
`;
}

/** The most chapters that can be chosen; the register has fewer. */
const MOST_CHAPTERS = 20;

/** The rules behind the controls. A requirement whose address was followed is never hidden. */
const filterStyle: Markup = markup`
${VERDICTS.map(
  (verdict) => markup`.requirements:has(#show-${verdict}:checked) .requirement:not(.${verdict}, :target),
.requirements:has(#show-${verdict}:checked) tbody:not(:has(.requirement.${verdict}, :target)),
`,
)}${Array.from(
  { length: MOST_CHAPTERS },
  (
    _,
    at,
  ) => markup`.requirements:has(option[value="${chapterClass(at)}"]:checked) tbody:not(.${chapterClass(at)}, :has(:target)),
`,
)}.requirements .requirement.unmatched,
.requirements tbody:not(:has(.requirement:not(.unmatched))) { display: none; }
.filter { display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem 2rem; margin: 1rem 0; }
.filter fieldset { display: flex; flex-wrap: wrap; gap: 0.35rem 1.1rem; border: 0; margin: 0; padding: 0; }
.filter legend, .filter p > label { color: var(--quiet); font-size: 0.85rem; padding: 0; }
.filter p { margin: 0; }
.filter :is(select, input[type="search"]) { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: 4px; padding: 0.25rem 0.5rem; max-width: 100%; }
.filter :is(select, input):focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly count?: number;
  /** Ends with a line feed; undefined where there is nothing to show. */
  readonly content: Markup | undefined;
  /** `more`: printed only where a reader asks for the whole report. */
  readonly classes?: string;
}

/** What every page says of a record. @param head right behind the result. */
export function reportBody(record: RunRecord, head: Markup | undefined, all: readonly Section[]): Markup {
  const sections = all.filter(({ content }) => content !== undefined);
  return markup`${masthead(record, head)}${navigation(sections)}<main id="main">
${sections.map(sectionOf)}</main>
`;
}

/**
 * One file for a person, with nothing loaded from elsewhere. Its own policy allows its style sheet and its script by
 * their digests, and forbids everything else.
 * @param script its text is ours alone; the page is complete without it.
 */
export function htmlDocument(title: string, body: Markup, script?: Markup): string {
  const rules = markup`${style}${plotStyle}${filterStyle}${printStyle}`;
  const policy = [
    "default-src 'none'",
    `style-src ${digestSource(rules)}`,
    ...(script === undefined ? [] : [`script-src ${digestSource(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page = markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${rules}</style>
</head>
<body>
<a class="skip" href="#main">To the findings</a>
${body}${script && markup`<script>${script}</script>\n`}</body>
</html>
`;
  return page.toString();
}

/** The text of an element as a Content-Security-Policy names it. */
const digestSource = (text: Markup): string =>
  `'sha256-${createHash('sha256').update(text.toString()).digest('base64')}'`;

/** What was tested and what came of it, behind what explains most of it. */
function masthead(record: RunRecord, head: Markup | undefined): Markup {
  const { headline, outcome, startedAt } = record;
  const plan = record.subject === 'client' ? '' : `, plan ${bounded(record.target.plan, ADDRESS_LIMIT)}`;
  const banner =
    headline &&
    markup`<div class="headline" role="note"><p><strong>${prose(headline.text)}</strong></p>
<p>${prose(headline.fix)}</p></div>
`;
  return markup`<header class="masthead">
<p class="kind">${kindOf(record)}</p>
${banner}<h1 class="outcome ${outcome}"><span aria-hidden="true">${outcomeSign(record).mark}</span> ${outcomeSentence(record)}</h1>
<p class="subject">${code(testedText(record), ADDRESS_LIMIT)}${plan}. ${requestsOf(record)}, ${momentOf(startedAt)}.</p>
${baselineSentences(record).map((sentence) => markup`<p>${sentence}</p>\n`)}${head}<ul class="counts">
${countsOf(record)
  .filter(({ count }) => count > 0)
  .map(
    ({ verdict, mark, word, count }) =>
      markup`<li class="${verdict}"><span class="number">${count}</span> <span aria-hidden="true">${mark}</span> ${word}</li>\n`,
  )}</ul>
</header>
`;
}

function kindOf(record: RunRecord): string {
  if (record.subject === 'load') return `Load report: Pet Store Service, profile ${record.profile}`;
  const kind = record.outcome === 'conforms' ? 'Conformance certificate' : 'Conformance report';
  return `${kind}: Pet Store Service ${record.spec.version}`;
}

const navigation = (sections: readonly Section[]): Markup =>
  markup`<nav aria-label="Sections"><ul>
${sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
<p class="print-choice"><label><input type="checkbox" id="print-all"> Print all</label></p></nav>
`;

const sectionOf = ({ id, title, count, content, classes }: Section): Markup =>
  markup`<section${classes && markup` class="${classes}"`} aria-labelledby="${id}">
<h2 id="${id}">${title}${count === undefined ? '' : markup` <span class="count">${count}</span>`}</h2>
${content}</section>
`;

export type Fact = readonly [name: string, value: Markup];

/** The end of a page: what was tested, versions and digests, and what is not verified. @param further what else is to be known of a run. */
export function aboutRun(record: RunRecord, further: readonly Fact[]): Markup {
  const { suite, spec, product, schemaVersion, journal, strict, startedAt } = record;
  const [[subject, tested], ...circumstances] = subjectFacts(record);
  const all: readonly Fact[] = [
    ...productFacts(product),
    [subject, code(tested, ADDRESS_LIMIT)],
    ...circumstances.map(factOf),
    ['Started', markup`<time datetime="${startedAt}">${momentOf(startedAt)}</time>`],
    ['Duration', markup`${durationOf(record)}`],
    ['Sent', markup`${requestsOf(record)}`],
    ...(strict ? [['Strict', markup`every warning counts as a failure`] as const] : []),
    ['Suite', markup`${suite.name} ${suite.version}, report schema ${schemaVersion}`],
    ['Specification', markup`version ${spec.version}, <code>${spec.digest}</code>`],
    ...(journal === undefined ? [] : [['Journal', markup`<code>${journal.digest}</code>`] as const]),
    ...further,
  ];
  const stated =
    product === undefined ? '' : ' The product is named as the user stated it; nothing verifies that.';
  return markup`<dl class="facts">
${all.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
<p class="quiet">The verdicts rest on what was recorded alone: <code>${COMMAND} judge</code> of this version reaches them again, offline.${stated}</p>
`;
}

const factOf = ([name, value]: readonly [name: string, value: string]): Fact => [
  name,
  markup`${bounded(value, FACT_LIMIT)}`,
];

/** What the user stated about the product. Where nothing was stated, the page says so instead of leaving a gap. */
function productFacts(product: RunRecord['product']): readonly Fact[] {
  if (product === undefined)
    return [['Product', markup`<span class="quiet">not stated (“product” in the configuration file)</span>`]];
  const { name, vendor, version, configuration } = product;
  return [
    ['Product', name] as const,
    ['Vendor', vendor] as const,
    ['Product version', version] as const,
    ['Configuration', configuration] as const,
  ].flatMap(([fact, value]) => (value === undefined ? [] : [factOf([fact, value])]));
}
