import type { Selection } from '../../../kernel/findings/tested.ts';

/** Whether an entry of the register is judged in this run: every one, unless the run was limited to a selection. */
export const isSelected = (id: string, selection: Selection | undefined): boolean =>
  selection === undefined || selection.requirements.includes(id);

/** Why an entry was not tested that is not part of the selection. */
export const whyNotSelected = (selection: Selection | undefined): string =>
  selection?.kind === 'quick'
    ? 'A quick run leaves out what needs a 429, and what was not selected. A complete run tests it, if it has the further keys that some requirements need.'
    : 'The run was limited to other requirements. A complete run tests it, if it has the further keys that some requirements need.';
