import { UserError } from '../../kernel/basics/user-error.ts';
import type { NumberRange } from './row.ts';

/**
 * The whole number that an option gives.
 * @param option what the user calls it.
 * @throws {UserError} when it is none, or out of range.
 */
export function numberOption(option: string, text: string, { least = 1, most, unit }: NumberRange): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const what = unit === undefined ? 'a whole number' : `a whole number of ${unit}`;
  throw new UserError(`${option} takes ${what} from ${least} to ${most}, not "${text.slice(0, 20)}".`);
}
