import { UserError } from '../../../kernel/basics/errors.ts';
import { didYouMean } from '../../../kernel/basics/text.ts';
import { groupedBy } from '../../../kernel/exchanges/collections.ts';
import type { Selection } from '../../../kernel/findings/tested.ts';
import { register } from '../../../spec/register.ts';
import { closingList } from '../probes/creations.ts';
import type { ProbeId } from '../probes/index.ts';
import { EVERY_PROBE, probes } from '../probes/index.ts';
import { preflightAsFound } from '../probes/preflight.ts';
import type { Probe } from '../probes/probe.ts';
import { someRejections } from '../probes/valid-creation.ts';
import { observables, requirements } from '../requirements/index.ts';

const FIRST_PROBES = ['unauthenticated-before-key', 'preflight', 'target-check'] as const;

/** Without a 429 there is nothing in them. */
const NEED_A_429: readonly ProbeId[] = ['exhaust-quota', 'ban', 'exhausted-day'];

/** The probes of a quick run: none waits for a 429 or for a window, and they send few requests with the key. */
const QUICK_PROBES: readonly ProbeId[] = [
  'openapi-document',
  'unauthenticated-before-key',
  'preflight',
  'target-check',
  'first-creation',
  'creations',
  'list-after-creations',
  'unauthenticated-after-key',
  'rejections',
  'other-operations',
  'unauthenticated-creations',
  'recovery',
  'invalid-credentials',
  'further-plans',
  'list-pages',
];

/** Creations and lists: what a list lacks or changes shows with many categories of many kinds, in several lists. */
const CREATIONS_AND_LISTS: readonly ProbeId[] = [
  'first-creation',
  'first-batch',
  'creations',
  'list-after-creations',
  'open-creations',
  'second-batch',
  'recovery',
];

/** The probes for which it matters how many categories there are. */
const CATEGORIES_COUNT: readonly ProbeId[] = ['first-batch', 'list-after-creations', 'second-batch'];

const FURTHER_WINDOWS: readonly ProbeId[] = ['second-window', 'third-window'];

/** What takes further windows, a day or a key, or many requests without one: never added to what a requirement needs. */
const NEVER_ADDED: readonly ProbeId[] = [
  'openapi-document',
  ...FURTHER_WINDOWS,
  'ban',
  'spend-day',
  'other-spellings',
];

/** What is sent besides where the quota is exhausted. */
const WITH_QUOTA = EVERY_PROBE.filter((probe) => !NEVER_ADDED.includes(probe));

const entries = [...requirements, ...observables];

/** The ids of the register that a quick run tests: those that are tested by other probes than a 429 needs, or by every response. */
export const quickIds: ReadonlySet<string> = new Set(
  entries.flatMap(({ id, probes: needed }) =>
    // What any response shows needs every probe, and is tested by those of a quick run.
    new Set(needed).size === EVERY_PROBE.length || !NEED_A_429.some((probe) => needed.includes(probe))
      ? [id]
      : [],
  ),
);

/** Always with the first ones: they show the target, and the quota counts from them. Exhausting it takes the others with the key along. */
export function probesFor({ kind, requirements: ids }: Selection, thorough = false): readonly Probe[] {
  const selected = entries.filter(({ id }) => ids.includes(id));
  const needed = new Set(selected.flatMap((one) => one.probes));
  if (needed.size > 0) addAll(needed, FIRST_PROBES);
  if (CATEGORIES_COUNT.some((probe) => needed.has(probe))) addAll(needed, CREATIONS_AND_LISTS);
  // An empty list answered to a request without a valid key would not be recognised as one.
  if (needed.has('other-spellings')) needed.add('first-creation');
  if (needed.has('exhaust-quota'))
    addAll(needed, thorough ? [...WITH_QUOTA, ...FURTHER_WINDOWS] : WITH_QUOTA);
  if (kind === 'quick') for (const probe of needed) if (!QUICK_PROBES.includes(probe)) needed.delete(probe);
  const others = needed.has('exhaust-quota') || needed.has('spend-day') ? undefined : withinQuota(kind);
  return probes.filter(({ id }) => needed.has(id)).map((probe) => others?.get(probe.id) ?? probe);
}

function addAll(set: Set<ProbeId>, more: readonly ProbeId[]): void {
  for (const probe of more) set.add(probe);
}

/** Needs no untouched quota, and has a list of its own for the list after the 429. One invalid body of each kind. */
const withinQuota = (kind: Selection['kind']): ReadonlyMap<ProbeId, Probe> =>
  new Map<ProbeId, Probe>([
    ['preflight', preflightAsFound],
    ['recovery', closingList],
    ...(kind === 'quick' ? [['rejections', someRejections] as const] : []),
  ]);

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

/** Every name that selects requirements, in capitals, with each id that it stands for. */
const names = groupedBy(
  tested.flatMap(({ id, chapter, level }) =>
    [id, id.replace(/-\d+$/, ''), chapter, level].map((name) => ({ name: name.toUpperCase(), id })),
  ),
  ({ name }) => name,
);

/** @param selected ids that it is limited to beforehand. @throws {UserError} when a name is unknown, or no requirement is left. */
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
  const named = names.get(word.toUpperCase());
  if (named !== undefined) return named.map(({ id }) => id);
  throw new UserError(
    `${option} takes ids (CREATE-4), chapters (CREATE, "Create a category") and levels (MUST, SHOULD, OBSERVE), not "${word}".${didYouMean(word, [...names.keys()])}`,
  );
}
