import { UserError } from '../../kernel/basics/user-error.ts';

/** The numbers that an option takes, both ends included, and what they count. */
interface NumberRange {
  /** 1 where it is absent. */
  readonly least?: number;
  readonly most: number;
  /** `milliseconds`. */
  readonly unit?: string;
}

/**
 * The whole number that an option gives; undefined where it is not given.
 * @throws {UserError} when it is none, or out of range.
 */
export function numberOption(
  option: string,
  text: string | undefined,
  { least = 1, most, unit }: NumberRange,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const what = unit === undefined ? 'a whole number' : `a whole number of ${unit}`;
  throw new UserError(`${option} takes ${what} from ${least} to ${most}, not "${text.slice(0, 20)}".`);
}
