import type { Selection } from '../../../kernel/findings/tested.ts';
import { ban } from '../probes/ban.ts';
import { closingList } from '../probes/closing-list.ts';
import {
  creations,
  firstBatch,
  firstCreation,
  listAfterCreations,
  secondBatch,
} from '../probes/creations.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { probes } from '../probes/index.ts';
import { listPages } from '../probes/list-pages.ts';
import { openCreations, otherOperations } from '../probes/open-behavior.ts';
import { openapiDocument } from '../probes/openapi-document.ts';
import { exhaustedDay, furtherPlans } from '../probes/other-callers.ts';
import { otherSpellings } from '../probes/other-spellings.ts';
import { preflight, preflightAsFound } from '../probes/preflight.ts';
import type { Probe } from '../probes/probe.ts';
import { recovery } from '../probes/recovery.ts';
import { rejections, someRejections } from '../probes/rejections.ts';
import { secondWindow } from '../probes/second-window.ts';
import { spendDay } from '../probes/spend-day.ts';
import { targetCheck } from '../probes/target-check.ts';
import { thirdWindow } from '../probes/third-window.ts';
import {
  invalidCredentials,
  unauthenticatedAfterKey,
  unauthenticatedBeforeKey,
  unauthenticatedCreations,
} from '../probes/unauthenticated.ts';
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
 * The probes that the selected requirements need, in the order of a run. The first probes are always included: they
 * show whether the target is the service, and the count of the quota starts with them. Where the quota is exhausted,
 * the other requests with the key are part of it: they cost nothing, and a count that depends on what is sent shows.
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
