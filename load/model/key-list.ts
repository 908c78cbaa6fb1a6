import type { Limits } from '../../spec/plans.ts';
import type { FleetPlan, KeyAlias } from './profile.ts';

/** One line of a file of keys: a key, and the name of its plan where the line has one. */
export interface ListedKey {
  readonly key: string;
  readonly plan?: string;
}

/**
 * Reads a file of keys, one on each line: `KEY` or `KEY,PLAN`, also separated by a semicolon or a tab, also in
 * quotes. Empty lines, lines that begin with `#` and a first line `key,plan` are skipped.
 * @returns the keys with the numbers of their lines, from 1.
 */
export const parseKeyList = (text: string): readonly (ListedKey & { readonly line: number })[] =>
  text.split(/\r?\n/).flatMap((line, at) => {
    if (line.trim() === '' || line.trim().startsWith('#')) return [];
    const [key = '', plan = ''] = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    if (at === 0 && key.toLowerCase() === 'key') return [];
    return [{ key, ...(plan === '' ? {} : { plan }), line: at + 1 }];
  });

/**
 * The plans of a list of keys; undefined where no line names one.
 * @param limitsOf the limits of a plan; without a name, those of the run.
 */
export function fleetPlansOf(
  keys: readonly ListedKey[],
  runPlan: string,
  limitsOf: (plan: string) => Limits,
): readonly FleetPlan[] | undefined {
  if (keys.every(({ plan }) => plan === undefined)) return undefined;
  const plans: FleetPlan[] = [];
  for (const { plan = runPlan } of keys) {
    const last = plans.at(-1);
    if (last?.plan === plan) plans[plans.length - 1] = { ...last, keys: last.keys + 1 };
    else plans.push({ plan, limits: limitsOf(plan), keys: 1 });
  }
  return plans;
}

export type KeysByAlias = Readonly<Partial<Record<KeyAlias, string | undefined>>>;

/** Keys by alias: those with a name of their own, and those of a fleet in their order. */
export const keysByAlias = (
  named: Pick<KeysByAlias, 'key' | 'other' | 'disposable'>,
  fleet: readonly string[],
): KeysByAlias => ({
  ...named,
  ...Object.fromEntries(fleet.map((key, at) => [`fleet-${at + 1}`, key])),
});

export const fleetOf = (keys: KeysByAlias): readonly string[] =>
  Object.entries(keys).flatMap(([alias, key = '']) => (alias.startsWith('fleet-') ? key : []));

/** A key in a sentence: `the key`, `the other key`, `key fleet-2`. */
export function keyText(alias: KeyAlias): string {
  if (alias === 'key') return 'the key';
  return alias === 'other' || alias === 'disposable' ? `the ${alias} key` : `key ${alias}`;
}
