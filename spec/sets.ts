import { readdirSync, readFileSync } from 'node:fs';
import type { Level } from './register/statement.ts';
import type { RequirementId } from './register.ts';

export interface ScoredSet {
  /** The first version of the suite whose certificates score it. */
  readonly version: string;
  /**
   * By id, with the SHA-256 of the sentence in base64url, so that each keeps its meaning. Those of the level `OBSERVE`
   * are frozen, too, and never score.
   */
  readonly requirements: ReadonlyMap<string, { readonly level: Level; readonly sentence: string }>;
}

/** The version of each set, oldest first. What the register has besides the last one belongs to the next release. */
const versions = (): readonly string[] =>
  readdirSync(new URL('./sets/', import.meta.url))
    .map((file) => file.replace(/\.json$/, ''))
    .toSorted((a, b) => (isNewer(a, b) ? 1 : -1));

function read(version: string): ScoredSet {
  const text = readFileSync(new URL(`./sets/${version}.json`, import.meta.url), 'utf8');
  return { version, requirements: new Map(Object.entries(JSON.parse(text))) };
}

/** Every set, oldest first. */
export const scoredSets = (): readonly ScoredSet[] => versions().map(read);

/** The set that a version of the suite scores; versions before the first set score that one. */
export function setOf(suiteVersion: string): ScoredSet {
  const [first = '', ...later] = versions();
  return read(later.findLast((version) => !isNewer(version, suiteVersion)) ?? first);
}

/** Whether a version, of three numbers, is newer than another one. */
export const isNewer = (version: string, other: string): boolean =>
  version.localeCompare(other, 'en', { numeric: true }) > 0;

/** Something that a conforming service may be certified for besides the core, because it needs more than one key. */
interface FurtherLevel {
  readonly name: string;
  /** Its MUST requirements; all others that `certify` judges are the core. */
  readonly requirements: readonly RequirementId[];
}

/** The level that every certificate has: each MUST that one key can test. */
export const CORE = 'core';

/** The further levels, in the order in which a result names them: `core + isolation + day`. */
export const furtherLevels: readonly FurtherLevel[] = [
  { name: 'isolation', requirements: ['LIMIT-7'] },
  { name: 'day', requirements: ['LIMIT-9'] },
  { name: 'bans', requirements: ['BAN-1', 'BAN-2'] },
  { name: 'openapi', requirements: ['VER-2'] },
];

/**
 * What no level requires although a reader may expect it, and why: the specification leaves it open, so that a
 * violation of the stricter reading warns.
 */
export const NOT_REQUIRED: readonly { readonly id: RequirementId; readonly why: string }[] = [
  {
    id: 'CREATE-11',
    why: 'the specification shows no uniqueness rule, so no level requires that ids differ.',
  },
];
