import { isJsonObject } from '../../kernel/basics/json.ts';
import type { Threshold } from '../../kernel/findings/load.ts';
import type { ProfileId } from './profile.ts';
import { PROFILE_IDS } from './profile.ts';

/** The quantities of a threshold, in the order in which they are judged. */
export const QUANTITIES = ['p50', 'p95', 'p99', 'errorRate', 'minimumRate'] as const;

/** A quantity that a threshold bounds. */
export type Quantity = (typeof QUANTITIES)[number];

/** The thresholds that apply to a profile. */
export const thresholdsFor = (thresholds: readonly Threshold[], id: ProfileId): readonly Threshold[] =>
  thresholds.filter(({ profile }) => profile === undefined || profile === id);

/** Why a value read from a file is not a list of thresholds, in one clause; undefined where it is. */
export function thresholdTrouble(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0)
    return '"thresholds" must be a list of at least one threshold';
  for (const [i, one] of value.entries()) {
    const trouble = isJsonObject(one) ? ruleTrouble(one) : 'is not an object';
    if (trouble !== undefined) return `threshold ${i + 1} ${trouble}`;
  }
  return undefined;
}

function ruleTrouble(rule: Readonly<Record<string, unknown>>): string | undefined {
  const { profile, operation } = rule;
  const names = ['profile', 'operation', ...QUANTITIES];
  const unknown = Object.keys(rule).find((name) => !names.includes(name));
  if (unknown !== undefined) return `has "${unknown}"; it may have ${names.join(', ')}`;
  if (profile !== undefined && !PROFILE_IDS.some((id) => id === profile))
    return `names no profile (${PROFILE_IDS.join(', ')})`;
  if (operation !== undefined && operation !== 'list' && operation !== 'create')
    return 'names no operation (list, create)';
  const given = QUANTITIES.filter((name) => rule[name] !== undefined);
  if (given.length === 0) return `bounds nothing; it needs one of ${QUANTITIES.join(', ')}`;
  const wrong = given.find((name) => !isWithin(rule[name], name === 'errorRate' ? 1 : Number.MAX_VALUE));
  return wrong === undefined
    ? undefined
    : `has a "${wrong}" that is not ${wrong === 'errorRate' ? 'a share from 0 to 1' : 'a number above 0'}`;
}

const isWithin = (value: unknown, most: number): boolean =>
  typeof value === 'number' &&
  Number.isFinite(value) &&
  value <= most &&
  (most === 1 ? value >= 0 : value > 0);
