import { colours } from '../colours.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { legendEntries } from './legend.ts';
import type { Plot } from './model.ts';
import { drawing } from './plot.ts';
import { rounded } from './scales.ts';
import { markStyle } from './style.ts';

/** Pixels. */
const WIDTH = 900;
const MARGIN = { left: 60, right: 28, top: 14, bottom: 12 };

/** An entry of the legend takes so many pixels besides its text, and so many for a letter. */
const ENTRY = { width: 44, letter: 6.8, height: 22 };

/** A plot as an SVG file of its own, for an attachment: it brings its colours, follows the scheme of its viewer and loads nothing. */
export function plotFile(plot: Plot): string {
  const { content, height } = drawing(plot);
  const { entries, lines } = placedLegend(plot);
  const full = height + MARGIN.top + MARGIN.bottom + lines * ENTRY.height;
  const file = markup`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${full}" role="img" aria-labelledby="title text">
<title id="title">${plot.title}</title><desc id="text">${plot.description}</desc>
<style>${colours}${markStyle}.ground { fill: var(--ground); }</style>
<rect class="ground" width="100%" height="100%"/>
<svg class="canvas" x="${MARGIN.left}" y="${MARGIN.top}" width="${WIDTH - MARGIN.left - MARGIN.right}" height="${height}">
${content}</svg>
<svg class="canvas" x="${MARGIN.left}" y="${height + MARGIN.top + 10}">${entries}</svg>
</svg>
`;
  return file.toString();
}

/** The entries of the legend in lines, and how many lines they take. */
function placedLegend(plot: Plot): { readonly entries: readonly Markup[]; readonly lines: number } {
  let [x, line] = [0, 0];
  const entries = legendEntries(plot).map(([name, sign]) => {
    const width = ENTRY.width + name.length * ENTRY.letter;
    if (x > 0 && x + width > WIDTH - MARGIN.left - MARGIN.right) [x, line] = [0, line + 1];
    const at = rounded(x);
    x += width;
    return markup`<svg x="${at}" y="${line * ENTRY.height}">${sign}<text class="tick" x="28" y="11">${name}</text></svg>\n`;
  });
  return { entries, lines: line + 1 };
}
