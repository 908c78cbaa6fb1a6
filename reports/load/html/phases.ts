import type { LoadRecord } from '../../../load/model/record.ts';
import { bounded } from '../../foreign-text.ts';
import { section } from '../../html/document.ts';
import { figureTable } from '../../tables.ts';
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
  const columns = PHASE_COLUMNS.map(([name]) => name);
  const rows = phases.map((phase) => PHASE_COLUMNS.map(([, text]) => bounded(text(phase), TEXT_LIMIT)));
  return section(
    'phases',
    'Phases',
    markup`${figureTable('The phases', columns, rows)}<p class="quiet">Requests that were due and 2xx responses in a second, of all keys. Latency from the intended send time, where one was planned. Errors are 5xx and requests without a response.</p>
`,
    isInSummary ? 'phases run' : 'phases',
  );
}
