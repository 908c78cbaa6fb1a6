import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { testRows } from '../../../evaluation/testing/suites/rows.ts';
import { secondWindow } from '../probes/second-window.ts';
import { furtherWindowRows } from './limit-enforcement/further-windows.rows.ts';

const { lines } = await virtualRun({ thorough: true });
const { at, asked } = edit;
const similar = asked(secondWindow.id, secondWindow.steps.similarKey);

testRows(lines, [
  ...furtherWindowRows,
  { id: 'AUTH-3', description: 'a similar key returns 401', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'AUTH-3',
    description: 'a similar key is limited',
    journal: at(similar, edit.limited),
    verdict: 'pass',
  },
  {
    id: 'AUTH-3',
    description: 'a similar key is accepted',
    journal: at(similar, edit.status(200)),
    verdict: 'fail',
  },
]);
