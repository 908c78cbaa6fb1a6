import type { EvidenceExcerpt, Verdict } from '../../kernel/findings/record.ts';
import { boundedSpans } from '../foreign-text.ts';
import { stretchesOf, stretchText, VERDICT_SIGNS } from '../outcome.ts';
import type { Markup } from '../written.ts';
import { joined, markup } from '../written.ts';

/** Characters of one text of a finding. */
const TEXT_LIMIT = 4000;

/** Prose with its code spans. */
export function prose(text: string): Markup {
  return withCode(text, (words) => markup`${words}`);
}

/** Prose in which the number of each exchange that the report shows is a link to it. */
export function linkedProse(text: string, evidence: Evidence): Markup {
  return withCode(text, (words) => {
    // Every second part is a number: the expression has one group.
    const parts = words.split(/(?<=\b[Ee]xchange )(\d{1,9})\b/);
    return markup`${parts.map((part, at) =>
      at % 2 === 1 && evidence.has(Number(part))
        ? markup`<a href="#exchange-${Number(part)}">${part}</a>`
        : part,
    )}`;
  });
}

/** An option of the command, such as `--other-key-env`: a line never breaks at its hyphens. */
const OPTION = /((?<![\w-])--[a-z][a-z-]*)/;

function withCode(text: string, write: (words: string) => Markup): Markup {
  const withOptions = (words: string): readonly Markup[] =>
    words
      .split(OPTION)
      .map((part, at) => (at % 2 === 1 ? markup`<span class="whole">${part}</span>` : write(part)));
  return markup`${boundedSpans(text, TEXT_LIMIT).map(({ kind, text: part }) =>
    kind === 'code'
      ? markup`<code${part.startsWith('--') && part.length < 40 ? markup` class="whole"` : ''}>${part}</code>`
      : withOptions(part),
  )}`;
}

/** A text of a target as code, of so many characters at most; what is missing is noted behind it. */
export function code(text: string, most: number): Markup {
  const [shown, ...note] = boundedSpans(text, most, [{ kind: 'code', text }]);
  return markup`<code>${shown?.text ?? ''}</code>${note.map((one) => one.text)}`;
}

/** A verdict as a mark and a word. */
export function badge(verdict: Verdict): Markup {
  const { mark, word } = VERDICT_SIGNS[verdict];
  return markup`<span class="badge ${verdict}"><span class="mark" aria-hidden="true">${mark}</span> ${word}</span>`;
}

/** The exchanges that the report shows, by number. */
export type Evidence = ReadonlyMap<number, EvidenceExcerpt>;

/** The cited exchanges by number, each linked to what the report shows of it; empty where none is cited. */
export function citation(exchanges: readonly number[], evidence: Evidence): Markup {
  const stretches = stretchesOf(exchanges);
  const links = stretches.slice(0, MOST_STRETCHES).map((stretch) => {
    const text = markup`${stretchText(stretch)}`;
    return evidence.has(stretch.first) ? markup`<a href="#exchange-${stretch.first}">${text}</a>` : text;
  });
  const missing = stretches.slice(MOST_STRETCHES).reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return markup`${joined(links, ', ')}${missing === 0 ? '' : ` and ${missing} more`}`;
}

/** More stretches of exchanges than this are counted, not linked. */
const MOST_STRETCHES = 12;
