import { thisHost } from '../../load/k6/host.ts';
import type { KeyAlias } from '../../load/model/profile.ts';
import { isLoopback } from '../../suites/inputs/base-url.ts';
import type { Admission } from '../../usage-ledger/admission.ts';
import { admit, refusalSentence } from '../../usage-ledger/admission.ts';
import { confirmHost, readConfiguration } from '../../usage-ledger/confirmation.ts';
import type { Day } from '../../usage-ledger/day.ts';
import { dayOf } from '../../usage-ledger/day.ts';
import { GuardError } from '../../usage-ledger/guard-error.ts';
import { userLedger } from '../user-ledger.ts';
import { scenarioKeys } from './keys.ts';
import type { LoadSettings } from './settings.ts';

/** What the guard says of a run before it begins. */
export interface Guarding {
  /** What was used of each key's day; undefined for loopback, which nobody writes down. */
  readonly days: readonly (readonly [alias: KeyAlias, day: Day])[] | undefined;
  /** Lines of the ledger that cannot be read. */
  readonly damaged: number;
  /** Why the run may not begin, a sentence each; empty where it may. */
  readonly obstacles: readonly string[];
}

/** A day that is over within this time may be spent without leave, in seconds. */
const SHORT_DAY_SECONDS = 3600;

/** Windows that a run may last longer than its preview says before the ledger takes its requests for later ones. */
const SPARE_WINDOWS = 5;

/** Looks at a run without entering it. @throws {GuardError} when the configuration or the ledger cannot be read. */
export function look(settings: LoadSettings, now: number): Guarding {
  const shared = sharedTarget(settings);
  if (shared === undefined) return { days: undefined, damaged: 0, obstacles: [] };
  const ledger = userLedger();
  const { limits } = settings.inputs;
  const known = usesOf(settings).map((use) => ({ use, ...ledger.known(use.key, shared.origin) }));
  const spendDay = maySpendDay(settings);
  const limitedExchanges = known.flatMap(
    ({ use, runs }) => refusalSentence(runs, { limits, spendDay, ledger: ledger.folder }, use, now) ?? [],
  );
  return {
    days: known.map(({ use, runs }) => [use.alias, dayOf(runs, limits, now)]),
    damaged: known[0]?.damaged ?? 0,
    obstacles: [...unconfirmed(shared, settings), ...limitedExchanges],
  };
}

/**
 * Lets a run begin, or throws the sentence why not. What it gives back is to be told
 * what was sent; loopback is free, and nothing is written down of it.
 * @throws {GuardError}
 */
export function enter(settings: LoadSettings, now: number): Admission {
  const shared = sharedTarget(settings);
  if (shared === undefined) return { settle: () => undefined };
  confirmHost(shared.hostname, confirmation(settings));
  const { profile, inputs, preview } = settings;
  return admit(
    userLedger(),
    {
      uses: usesOf(settings),
      origin: shared.origin,
      by: `load ${profile.id}`,
      limits: inputs.limits,
      spendDay: maySpendDay(settings),
      seconds: preview.seconds.afterUse + SPARE_WINDOWS * inputs.limits.minuteSeconds,
    },
    now,
  );
}

/** The address of a target that others may share. */
function sharedTarget({ subject }: Pick<LoadSettings, 'subject'>): URL | undefined {
  if (subject.kind === 'bundled' || isLoopback(subject.access.baseUrl)) return undefined;
  return subject.access.baseUrl;
}

const confirmation = ({ named }: LoadSettings) => ({ named, configured: readConfiguration(thisHost()) });

function unconfirmed(target: URL, settings: LoadSettings): readonly string[] {
  try {
    confirmHost(target.hostname, confirmation(settings));
    return [];
  } catch (error) {
    if (error instanceof GuardError) return [error.message];
    throw error;
  }
}

const maySpendDay = ({ spendDay, inputs }: LoadSettings): boolean =>
  spendDay || inputs.limits.daySeconds <= SHORT_DAY_SECONDS;

function usesOf({ subject, profile, inputs, fleet, preview }: LoadSettings) {
  if (subject.kind === 'bundled') return [];
  const keys = scenarioKeys(profile.scenarios(inputs), subject.access.keys, fleet);
  return preview.keys.flatMap(({ key: alias, requests }) => {
    const key = keys[alias];
    return key === undefined ? [] : [{ alias, key, requests }];
  });
}
