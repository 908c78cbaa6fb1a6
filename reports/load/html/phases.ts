import type { LoadRecord } from '../../../load/model/record.ts';
import { bounded } from '../../foreign-text.ts';
import { wide } from '../../wide.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { PHASE_COLUMNS } from '../texts.ts';

/** Characters of one cell. */
const TEXT_LIMIT = 200;

/**
 * The phases of a profile that compares them: its steps, its burst, or its tenths.
 * @param isInSummary whether they are printed with the summary, as the run is.
 */
export function phasesSection({ phases = [] }: LoadRecord, isInSummary: boolean): Markup {
  if (phases.length === 0) return markup``;
  const rows = phases.map((phase) => {
    const [head = '', ...cells] = PHASE_COLUMNS.map(([, text]) => bounded(text(phase), TEXT_LIMIT));
    return markup`<tr><th scope="row">${head}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>
`;
  });
  return markup`<section class="phases${isInSummary ? ' run' : ''}" aria-labelledby="phases">
<h2 id="phases">Phases</h2>
${wide(
  'The phases',
  markup`<table class="figures">
<thead><tr>${PHASE_COLUMNS.map(([name]) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table>`,
)}<p class="quiet">Requests that were due and 2xx responses in a second, of all keys. Latency from the intended send time, where one was planned. Errors are 5xx and requests without a response.</p>
</section>
`;
}
