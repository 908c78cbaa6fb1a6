import type { RunOption } from '../../catalogue/index.ts';
import type { VirtualRun } from './virtual-run.ts';

/** How a run in virtual time is given each option. */
const GIVEN: Readonly<Record<RunOption, VirtualRun>> = {
  'exclusive key': { exclusiveKey: true },
  'disposable key': { withDisposableKey: true },
};

/** The parameters of a run in virtual time with these options. */
export const runWith = (options: readonly RunOption[] = []): VirtualRun =>
  Object.assign({}, ...options.map((option) => GIVEN[option]));
