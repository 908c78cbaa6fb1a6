import { UserError } from '../../words/user-error.ts';
import type { InputNames } from './input-names.ts';

/** Options that contradict each other, where a quick run is asked for. */
interface BesideQuick {
  readonly quick?: boolean | undefined;
  readonly thorough?: boolean | undefined;
  readonly spendDay?: boolean | undefined;
}

/** @throws {UserError} when an option contradicts a quick run, which sends nothing that needs a 429. */
export function rejectBesideQuick(
  { quick, thorough, spendDay }: BesideQuick,
  names: Pick<InputNames, 'quick' | 'thorough' | 'spendDay'>,
): void {
  if (quick !== true) return;
  const given = [
    [names.thorough, thorough],
    [names.spendDay, spendDay],
  ] as const;
  for (const [option, isGiven] of given) {
    if (isGiven !== true) continue;
    throw new UserError(`${option} needs a 429, which ${names.quick} leaves out: give one of the two.`);
  }
}
