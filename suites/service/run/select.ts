import { UserError } from '../../../kernel/basics/errors.ts';
import { didYouMean } from '../../../kernel/basics/text.ts';
import type { Selection } from '../../../kernel/findings/tested.ts';
import { register } from '../../../spec/register.ts';
import { ban } from '../probes/ban.ts';
import {
  creations,
  firstBatch,
  firstCreation,
  listAfterCreations,
  secondBatch,
} from '../probes/creations.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { probes } from '../probes/index.ts';
import { secondWindow, thirdWindow } from '../probes/later-windows.ts';
import { closingList, listPages } from '../probes/lists.ts';
import { openCreations, otherOperations } from '../probes/open-behavior.ts';
import { exhaustedDay, furtherPlans } from '../probes/other-callers.ts';
import { otherSpellings } from '../probes/other-spellings.ts';
import { openapiDocument, preflight, preflightAsFound, targetCheck } from '../probes/preflight.ts';
import type { Probe } from '../probes/probe.ts';
import { recovery } from '../probes/recovery.ts';
import { spendDay } from '../probes/spend-day.ts';
import {
  invalidCredentials,
  unauthenticatedAfterKey,
  unauthenticatedBeforeKey,
  unauthenticatedCreations,
} from '../probes/unauthenticated.ts';
import { rejections, someRejections } from '../probes/valid-creation.ts';
import { observables, requirements } from '../requirements/index.ts';

/** The first probes of every run. */
const FIRST_PROBES = [unauthenticatedBeforeKey, preflight, targetCheck] as const;

/** Without a 429 there is nothing in them. */
const NEED_A_429: readonly Probe[] = [exhaustQuota, ban, exhaustedDay];

/** The probes of a quick run: none waits for a 429 or for a window, and they send few requests with the key. */
const QUICK_PROBES: readonly Probe[] = [
  openapiDocument,
  unauthenticatedBeforeKey,
  preflight,
  targetCheck,
  firstCreation,
  creations,
  listAfterCreations,
  unauthenticatedAfterKey,
  rejections,
  otherOperations,
  unauthenticatedCreations,
  recovery,
  invalidCredentials,
  furtherPlans,
  listPages,
];

/** Creations and lists: what a list lacks or changes shows with many categories of many kinds, in several lists. */
const CREATIONS_AND_LISTS: readonly Probe[] = [
  firstCreation,
  firstBatch,
  creations,
  listAfterCreations,
  openCreations,
  secondBatch,
  recovery,
];

/** The probes for which it matters how many categories there are. */
const CATEGORIES_COUNT: readonly Probe[] = [firstBatch, listAfterCreations, secondBatch];

const FURTHER_WINDOWS: readonly Probe[] = [secondWindow, thirdWindow];

/** What takes further windows, a day or a key, or many requests without one: never added to what a requirement needs. */
const NEVER_ADDED: readonly Probe[] = [openapiDocument, ...FURTHER_WINDOWS, ban, spendDay, otherSpellings];

/** What is sent besides where the quota is exhausted. */
const WITH_QUOTA = probes.filter((probe) => !NEVER_ADDED.includes(probe));

const entries = [...requirements, ...observables];

/** The ids of the register that a quick run tests: those that are tested by other probes than a 429 needs, or by every response. */
export const quickIds: ReadonlySet<string> = new Set(
  entries.flatMap(({ id, probes: needed }) =>
    isOfEveryProbe(needed) || !NEED_A_429.some((probe) => needed.includes(probe)) ? [id] : [],
  ),
);

/** Whether any response shows it. */
function isOfEveryProbe(needed: readonly Probe[]): boolean {
  return new Set(needed).size === probes.length;
}

/**
 * The probes that the selected requirements need, in the order of a run, always with the first ones: they show
 * whether the target is the service, and the count of the quota starts with them. Where the quota is exhausted, the
 * other requests with the key are part of it: they cost nothing, and a count that depends on what is sent shows.
 */
export function probesFor({ kind, requirements: ids }: Selection, thorough = false): readonly Probe[] {
  const selected = entries.filter(({ id }) => ids.includes(id));
  const needed = new Set(selected.flatMap((one) => one.probes));
  if (needed.size > 0) addAll(needed, FIRST_PROBES);
  if (CATEGORIES_COUNT.some((probe) => needed.has(probe))) addAll(needed, CREATIONS_AND_LISTS);
  // An empty list answered to a request without a valid key would not be recognised as one.
  if (needed.has(otherSpellings)) needed.add(firstCreation);
  if (needed.has(exhaustQuota)) addAll(needed, thorough ? [...WITH_QUOTA, ...FURTHER_WINDOWS] : WITH_QUOTA);
  if (kind === 'quick') for (const probe of needed) if (!QUICK_PROBES.includes(probe)) needed.delete(probe);
  const inOrder = probes.filter((probe) => needed.has(probe));
  return needed.has(exhaustQuota) || needed.has(spendDay) ? inOrder : withinQuota(inOrder, kind);
}

function addAll(set: Set<Probe>, more: readonly Probe[]): void {
  for (const probe of more) set.add(probe);
}

/**
 * The probes of a run that does not exhaust the quota: it needs no untouched one, and a list of its own takes the
 * place of the list after the 429. A quick run sends one invalid body of each kind.
 */
function withinQuota(needed: readonly Probe[], kind: Selection['kind']): readonly Probe[] {
  const others = new Map<Probe, Probe>([
    [preflight, preflightAsFound],
    [recovery, closingList],
    ...(kind === 'quick' ? [[rejections, someRejections] as const] : []),
  ]);
  return needed.map((probe) => others.get(probe) ?? probe);
}

/** What a user calls the inputs of a run, so that an error names the option or the variable to correct. */
export type InputNames = Readonly<
  Record<'ca' | 'namePattern' | 'openapi' | 'only' | 'quick' | 'skip' | 'spendDay' | 'thorough', string>
>;

/** What a user limits a run to: each text holds ids, chapters and levels, separated by commas. */
export interface SelectionOptions {
  readonly only?: string | readonly string[] | undefined;
  readonly skip?: string | readonly string[] | undefined;
  readonly quick?: boolean | undefined;
}

const tested = register.filter(({ judged }) => judged === 'by certify');

/** Every name that selects requirements, in capitals, and the ids that it stands for. */
const names: ReadonlyMap<string, readonly string[]> = namesOf();

function namesOf(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { id, chapter, level } of tested) {
    for (const name of [id, id.replace(/-\d+$/, ''), chapter, level]) {
      const key = name.toUpperCase();
      found.set(key, [...(found.get(key) ?? []), id]);
    }
  }
  return found;
}

/**
 * What a run is limited to; undefined where no option limits it. `--skip` takes requirements away from what `--only`
 * and `--quick` leave.
 * @param inputs what the user calls the options.
 * @param selected ids that the run is limited to beforehand; undefined where it is not.
 * @throws {UserError} when a name is unknown, or no requirement is left.
 */
export function readSelection(
  { only, skip, quick }: SelectionOptions,
  inputs: Pick<InputNames, 'only' | 'skip'>,
  selected?: readonly string[],
): Selection | undefined {
  if (only === undefined && skip === undefined && quick !== true && selected === undefined) return undefined;
  const wanted = only === undefined ? undefined : idsIn(only, inputs.only);
  const skipped = idsIn(skip ?? [], inputs.skip);
  const requirements = tested.flatMap(({ id }) => {
    const isWanted = (wanted?.has(id) ?? true) && (selected?.includes(id) ?? true);
    const isInTime = quick !== true || quickIds.has(id);
    return isWanted && isInTime && !skipped.has(id) ? [id] : [];
  });
  if (requirements.length === 0) {
    const inQuick = quick === true ? ' A quick run tests nothing that needs a 429.' : '';
    const among = selected === undefined ? '' : ' among the selected tests';
    throw new UserError(`The options leave no requirement to test${among}.${inQuick}`);
  }
  return { kind: quick === true ? 'quick' : 'selected', requirements };
}

function idsIn(texts: string | readonly string[], option: string): ReadonlySet<string> {
  const words = [texts]
    .flat()
    .flatMap((text) => text.split(','))
    .map((word) => word.trim());
  return new Set(words.flatMap((word) => idsNamed(word, option)));
}

function idsNamed(word: string, option: string): readonly string[] {
  const ids = names.get(word.toUpperCase());
  if (ids !== undefined) return ids;
  throw new UserError(
    `${option} takes ids (CREATE-4), chapters (CREATE, "Create a category") and levels (MUST, SHOULD, OBSERVE), not "${word}".${didYouMean(word, [...names.keys()])}`,
  );
}
