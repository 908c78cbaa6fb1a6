import type { KeyAlias } from '../load/model/profile.ts';
import type { Limits } from '../spec/plans.ts';
import { refusalOf } from './day.ts';
import { GuardError } from './guard-error.ts';
import type { Entry, KnownRun, Ledger } from './ledger.ts';
import { refusalText } from './sentences.ts';

/** One key of a run, and what it will send. */
export interface KeyUse {
  readonly alias: KeyAlias;
  readonly key: string;
  readonly requests: number;
}

/** A run that wants to begin. */
export interface Candidate {
  readonly uses: readonly KeyUse[];
  /** Origin of the target. */
  readonly origin: string;
  /** For people: `load at-limit`. */
  readonly by: string;
  readonly limits: Limits;
  /** Whether the user gave leave to use up a whole day. */
  readonly spendDay: boolean;
  /** How long it takes at most, in seconds. */
  readonly seconds: number;
}

/** A run that may begin. */
export interface Admission {
  /** Says what each key sent in the end, and when that was (milliseconds since the Unix epoch). */
  settle(sent: Readonly<Partial<Record<KeyAlias, number>>>, at: number): void;
}

/**
 * Enters a run into the ledger, unless it would pass nine tenths of the day of
 * one of its keys. It is entered first and weighed afterwards, against what stands before
 * it: of two processes that begin at the same moment only one finds room.
 * @param now milliseconds since the Unix epoch.
 * @throws {GuardError} when it may not begin, or the ledger cannot be kept.
 */
export function admit(ledger: Ledger, candidate: Candidate, now: number): Admission {
  const { uses, origin, by, seconds } = candidate;
  const until = now + seconds * 1000;
  const entries = new Map<KeyAlias, Entry>();
  try {
    for (const { alias, key, requests } of uses) {
      const entry = ledger.begin({ key, origin, by, requests, until }, now);
      entries.set(alias, entry);
      const earlier = before(ledger.known(key, origin).runs, entry);
      const sentence = refusalSentence(
        earlier,
        { ...candidate, ledger: ledger.folder },
        { alias, key, requests },
        now,
      );
      if (sentence !== undefined) throw new GuardError(sentence);
    }
  } catch (error) {
    for (const entry of entries.values()) entry.settle(0, now);
    throw error;
  }
  return {
    settle(sent, at) {
      for (const [alias, entry] of entries) entry.settle(sent[alias] ?? 0, at);
    },
  };
}

/** Why this key may not send what the run wants, in a sentence for people; undefined where it may. */
export function refusalSentence(
  runs: readonly KnownRun[],
  { limits, spendDay, ledger }: Pick<Candidate, 'limits' | 'spendDay'> & { readonly ledger: string },
  { alias, requests }: KeyUse,
  now: number,
): string | undefined {
  const limited = refusalOf(runs, { requests, spendDay }, limits, now);
  return limited === undefined
    ? undefined
    : refusalText(limited, { whose: nameOf(alias), requests, limits, now, ledger });
}

/** What people call a key, at the beginning of a sentence. */
function nameOf(alias: KeyAlias): string {
  if (alias === 'key') return 'The key';
  if (alias === 'other' || alias === 'disposable') return `The ${alias} key`;
  return `Key ${alias.slice('fleet-'.length)} of the fleet`;
}

const before = (runs: readonly KnownRun[], { run }: Entry): readonly KnownRun[] =>
  runs.slice(
    0,
    runs.findIndex((one) => one.run === run),
  );
