import { isNoRun } from '../kernel/findings/gate.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import { jsonText } from './files.ts';
import { outcomeSentence, outcomeSign, tallyOf } from './outcome.ts';
import type { Markup } from './written.ts';
import { markup } from './written.ts';

const LABEL = 'Pet Store Service';

/** The colours have a contrast of at least 4.5 to 1 with white (WCAG 2.2 AA). */
const BADGE_COLOURS = { violates: '#a8201a', incomplete: '#545c66', conforms: '#17653a' } as const;

/** The message names what was found and never more: a partial run and one with another target do not conform. */
function badgeOf(record: RunRecord) {
  const { outcome, baseline } = record;
  // The profile belongs to the message: a load run conforms in it only.
  const word = `${record.subject === 'load' ? `load ${record.profile}: ` : ''}${outcomeSign(record).word}`;
  if (isNoRun(record)) return { message: word, colour: BADGE_COLOURS.incomplete };
  const colour = BADGE_COLOURS[outcome];
  if (outcome !== 'violates') return { message: word, colour };
  const known = baseline === undefined ? '' : `, ${baseline.known.length} known`;
  return { message: `${word} ${tallyOf(record).fail.length}${known}`, colour };
}

/** `badge.json`: the answer of an endpoint for shields.io. */
export function renderBadgeJson(record: RunRecord): string {
  const { message, colour } = badgeOf(record);
  const isError = record.outcome === 'violates';
  return jsonText({ schemaVersion: 1, label: LABEL, message, color: colour.slice(1), isError });
}

/** Pixels of a character of 11 pixels in a common sans-serif type; the text is stretched to the sum. */
const CHARACTER_WIDTH = 6.6;
const PADDING = 6;

const widthOf = (text: string): number => Math.round(text.length * CHARACTER_WIDTH) + 2 * PADDING;

/** `badge.svg`: the outcome for a page, without anything loaded from elsewhere; its description is the whole sentence. */
export function renderBadgeSvg(record: RunRecord): string {
  const { message, colour } = badgeOf(record);
  const [left, right] = [widthOf(LABEL), widthOf(message)];
  const text = (words: string, x: number, width: number) =>
    markup`<text x="${x + PADDING}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${words}</text>`;
  return `${markup`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-labelledby="badge-title badge-description">
<title id="badge-title">${LABEL}: ${message}</title>
<desc id="badge-description">${outcomeSentence(record)}</desc>
<rect width="${left + right}" height="20" rx="3" fill="#3a414a"/>
<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z" fill="${colour}"/>
<g fill="#ffffff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">${text(LABEL, 0, left)}${text(message, left, right)}</g>
</svg>`}\n`;
}

/** The colours of every report, light and dark. Text has a contrast of at least 4.5 to 1 in both schemes (WCAG 2.2 AA). */
export const colours: Markup = markup`
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f6f7f8; --line: #d6dae0; --text: #1b1f24; --quiet: #545c66; --link: #0b57a4;
  --fail: #a8201a; --inconclusive: #6a3d9a; --warn: #805300; --pass: #17653a; --not-tested: #545c66;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --raised: #1d2126; --line: #3a414a; --text: #e6e9ed; --quiet: #a7b0bb; --link: #84bdf7;
    --fail: #ff8f86; --inconclusive: #c9a6f5; --warn: #eab54d; --pass: #76d39b; --not-tested: #a7b0bb;
  }
}
`;
