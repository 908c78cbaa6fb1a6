import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import type { Mark, Plot, PointStatus, RowMark } from './model.ts';
import { pointMark } from './shapes.ts';

/** What the marks of a plot mean: each name once with its last sign, in the order in which they appear; exchanges stand below stacks, and their shapes say more. */
export function legendEntries({ panels }: Plot): readonly (readonly [name: string, sign: Markup])[] {
  const entries = new Map<string, Markup>();
  for (const mark of panels.flatMap(marksOf))
    for (const [name, sign] of entriesOf(mark)) entries.set(name, sign);
  return [...entries];
}

/** The legend of a plot on a page. */
export function legend(plot: Plot): Markup {
  return markup`<ul class="legend">
${legendEntries(plot).map(([name, sign]) => markup`<li><svg class="sign" width="22" height="14" aria-hidden="true">${sign}</svg>${name}</li>\n`)}</ul>
`;
}

const marksOf = (panel: Plot['panels'][number]): readonly (Mark | RowMark)[] =>
  panel.kind === 'values' ? panel.marks : panel.rows.flatMap(({ marks }) => marks);

/** The entries of a mark; what has nothing to show has none. */
function entriesOf(mark: Mark | RowMark): readonly (readonly [name: string, sign: Markup])[] {
  switch (mark.kind) {
    case 'line':
    case 'steps':
      return mark.points.length === 0
        ? []
        : [[mark.name, markup`<path class="line ${mark.stroke}" d="M0 7H22"/>`]];
    case 'band':
      return [[mark.name, markup`<rect class="band" width="22" height="14"/>`]];
    case 'stack':
      return mark.layers
        .filter((_, i) => mark.bins.some(({ values }) => (values[i] ?? 0) > 0))
        .map(({ name, status }) => [name, layerSign(status)]);
    case 'points':
      return ('at' in mark ? mark.at : mark.points).length === 0
        ? []
        : [[mark.name, pointMark(mark.status, '11', 7)]];
    case 'level':
      return [[mark.name, markup`<line class="level" x1="0" x2="22" y1="7" y2="7"/>`]];
    case 'rules':
      return mark.at.length === 0
        ? []
        : [[mark.name, markup`<line class="rule ${mark.stroke}" x1="11" x2="11" y1="0" y2="14"/>`]];
    case 'spans':
      return mark.spans.length === 0
        ? []
        : [[mark.name, markup`<rect class="span ${mark.shade}" width="22" height="14"/>`]];
  }
}

const layerSign = (status: PointStatus): Markup =>
  markup`<rect class="layer ${status}" x="4" y="1" width="14" height="12"/>`;
