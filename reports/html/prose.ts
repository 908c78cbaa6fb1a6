import type { EvidenceExcerpt, Verdict } from '../../suites/model/record.ts';
import { bounded, spansOf } from '../foreign-text.ts';
import { stretchesOf, stretchText, VERDICT_SIGNS } from '../outcome.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

/** Characters of one text of a finding. */
const TEXT_LIMIT = 4000;

/** Prose with its code spans. */
export function prose(text: string): Markup {
  const spans = spansOf(bounded(text, TEXT_LIMIT));
  return markup`${spans.map((span) => (span.kind === 'code' ? markup`<code>${span.text}</code>` : span.text))}`;
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
  const links = stretchesOf(exchanges).map((stretch, at) => {
    const text = stretchText(stretch);
    const link = evidence.has(stretch.first)
      ? markup`<a href="#exchange-${stretch.first}">${text}</a>`
      : markup`${text}`;
    return markup`${at === 0 ? '' : ', '}${link}`;
  });
  return markup`${links}`;
}
