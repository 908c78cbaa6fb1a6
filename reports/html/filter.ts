import type { RunRecord } from '../../kernel/findings/record.ts';
import { countsOf, VERDICTS } from '../outcome.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

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
export const filterStyle: Markup = markup`
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
