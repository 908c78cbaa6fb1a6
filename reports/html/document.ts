import { createHash } from 'node:crypto';
import type { VerdictCount } from '../outcome.ts';
import { plotStyle } from '../plots/style.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { filterStyle } from './filter.ts';
import { printStyle } from './print-style.ts';
import { prose } from './prose.ts';
import { style } from './style.ts';

/** A part of a page under its own address. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** Shown behind the title. */
  readonly count?: number;
  /** Ends with a line feed. */
  readonly content: Markup;
  /** `more`: printed only where a reader asks for the whole report. */
  readonly classes?: string;
}

/** What a page begins with: of what kind it is, the result in a sentence, and what belongs beside it. */
export interface Masthead {
  readonly kind: string;
  /** What explains most of the report, before its result. */
  readonly banner?: Markup;
  /** The class of the result, which gives its colour. */
  readonly result: string;
  readonly mark: string;
  readonly sentence: string;
  /** Right behind the sentence. */
  readonly further: Markup;
  readonly counts: readonly VerdictCount[];
}

/** A report about any subject. Its `<title>` names the result. */
interface Report {
  readonly title: string;
  readonly masthead: Masthead;
  /** In their order; one that has nothing to show is undefined. */
  readonly sections: readonly (Section | undefined)[];
  /** A script whose text is ours alone; the page is complete without it. */
  readonly script?: Markup;
}

export function reportPage({ title, masthead, sections, script }: Report): string {
  const shown = sections.filter((one) => one !== undefined);
  return htmlDocument({
    title,
    body: markup`${mastheadOf(masthead)}${navigation(shown)}<main id="main">
${shown.map(sectionOf)}</main>
`,
    ...(script === undefined ? {} : { script }),
  });
}

/**
 * One file for a person, with nothing loaded from elsewhere. Its own policy allows its style sheet and its script by
 * their digests, and forbids everything else.
 */
export function htmlDocument({
  title,
  body,
  script,
}: Pick<Report, 'title' | 'script'> & { body: Markup }): string {
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
${body}${script === undefined ? markup`` : markup`<script>${script}</script>\n`}</body>
</html>
`;
  return page.toString();
}

/** The text of an element as a Content-Security-Policy names it. */
const digestSource = (text: Markup): string =>
  `'sha256-${createHash('sha256').update(text.toString()).digest('base64')}'`;

const mastheadOf = ({ kind, banner, result, mark, sentence, further, counts }: Masthead): Markup =>
  markup`<header class="masthead">
<p class="kind">${kind}</p>
${banner ?? markup``}<h1 class="outcome ${result}"><span aria-hidden="true">${mark}</span> ${sentence}</h1>
${further}<ul class="counts">
${counts.filter(({ count }) => count > 0).map(countItem)}</ul>
</header>
`;

const countItem = ({ verdict, mark, word, count }: VerdictCount): Markup =>
  markup`<li class="${verdict}"><span class="number">${count}</span> <span aria-hidden="true">${mark}</span> ${word}</li>\n`;

/** Links to the sections of a page, and what is printed. */
const navigation = (sections: readonly Section[]): Markup =>
  markup`<nav aria-label="Sections"><ul>
${sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
<p class="print-choice"><label><input type="checkbox" id="print-all"> Print all</label></p></nav>
`;

const sectionOf = ({ id, title, count, content, classes }: Section): Markup =>
  markup`<section${classes === undefined ? '' : markup` class="${classes}"`} aria-labelledby="${id}">
<h2 id="${id}">${title}${count === undefined ? '' : markup` <span class="count">${count}</span>`}</h2>
${content}</section>
`;

/** What limits the meaning of a run; undefined where nothing does. */
export const remarksSection = (remarks: readonly string[]): Section | undefined =>
  remarks.length === 0
    ? undefined
    : {
        id: 'remarks',
        title: 'Remarks',
        classes: 'remarks',
        content: markup`<p>What limits the meaning of this run.</p>
<ul>
${remarks.map((one) => markup`<li>${prose(one)}</li>\n`)}</ul>
`,
      };
