import { createHash } from 'node:crypto';
import type { VerdictCount } from '../outcome.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { prose } from './prose.ts';
import { style } from './style.ts';

/**
 * A page: one file for a person, with nothing loaded from elsewhere. Its own policy allows its style sheet and its
 * script by their digests, and forbids everything else.
 */
export function htmlDocument({
  title,
  body,
  further = markup``,
  script,
}: {
  readonly title: string;
  readonly body: Markup;
  /** Style rules of this page alone. */
  readonly further?: Markup;
  /** A script whose text is ours alone; the page is complete without it. */
  readonly script?: Markup;
}): string {
  const rules = markup`${style}${further}`;
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

/** How many findings there are of each verdict. */
export function countList(counts: readonly VerdictCount[]): Markup {
  const items = counts.map(
    ({ verdict, mark, word, count }) =>
      markup`<li class="${count === 0 ? 'none' : verdict}"><span class="number">${count}</span> <span aria-hidden="true">${mark}</span> ${word}</li>\n`,
  );
  return markup`<ul class="counts">
${items}</ul>
`;
}

/** A section under its own address. Its content ends with a line feed. */
export const section = (id: string, title: Markup | string, content: Markup, classes?: string): Markup =>
  markup`<section${classes === undefined ? '' : markup` class="${classes}"`} aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}</section>
`;

/** What limits the meaning of a run, in full; nothing where nothing does. */
export const remarksSection = (remarks: readonly string[]): Markup =>
  remarks.length === 0
    ? markup``
    : section(
        'remarks',
        'Remarks',
        markup`<p>What limits the meaning of this run.</p>
<ul>
${remarks.map((one) => markup`<li>${prose(one)}</li>\n`)}</ul>
`,
      );

/** Links to the sections of a page that have something to show. */
export const navigationList = (
  places: readonly (readonly [id: string, title: string, isPresent: boolean])[],
): Markup =>
  markup`<nav aria-label="Sections"><ul>
${places.filter(([, , isPresent]) => isPresent).map(([id, title]) => markup`<li><a href="#${id}">${title}</a></li>\n`)}</ul></nav>
`;
