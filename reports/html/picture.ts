import type { RunRecord } from '../../suites/model/record.ts';
import { picturePlots } from '../picture/plots.ts';
import { plotFigure } from '../plots/plot.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

/** The picture of the run, with its text alternative. Empty where the record has no timeline. */
export function pictureSection(record: RunRecord): Markup {
  const plots = picturePlots(record);
  if (plots.length === 0) return markup``;
  return markup`<section class="run" aria-labelledby="run">
<h2 id="run">The run</h2>
${plots.map(plotFigure)}</section>
`;
}
