import { randomBytes } from 'node:crypto';
import type { Selection } from '../../../kernel/findings/tested.ts';
import type { ClientHost, PlannedStart } from '../model/journal.ts';
import type { ClientRequirementId, Scenario } from '../model/scenario.ts';

interface ClientChoice {
  /** Only scenarios that decide one of these; undefined for all. */
  readonly only: readonly ClientRequirementId[] | undefined;
  /** Whether scenarios with long waits are included. */
  readonly thorough: boolean;
}

export interface PlannedScenario extends PlannedStart {
  readonly played: Scenario;
}

export interface ClientPlan {
  /** What a partial run is limited to; absent where the run is complete. */
  readonly selection?: Selection;
  readonly starts: readonly PlannedScenario[];
  /** Played only where the starts before them leave the backoff unclear. */
  readonly ifUnclear: readonly PlannedScenario[];
}

/** The plan of a run with a command: every repetition of every chosen scenario, numbered in order. */
export function planStarts(scenarios: readonly Scenario[], { only, thorough }: ClientChoice): ClientPlan {
  const chosen = scenarios.filter(
    ({ decides }) => only === undefined || decides.some((id) => only.includes(id)),
  );
  const starts = startsOf(
    chosen.filter(({ when }) => when === 'always' || (thorough && when === 'thorough')),
    1,
  );
  // These decide about the backoff alone, so other requirements do not ask for them.
  const ifUnclear = chosen.filter(({ when }) => when === 'unclear backoff');
  return {
    ...(only === undefined ? {} : { selection: { kind: 'selected', requirements: only } }),
    starts,
    ifUnclear: startsOf(ifUnclear, starts.length + 1),
  };
}

/** Three times a round trip of half a second, and half a second for the client, so that a sender has learnt of the 429 before. */
const REMOTE_HOLD_SECONDS = 2;

/** A scenario as it is played to a client on this host: over a network, responses are held for longer. */
export function scenarioFor(where: ClientHost, scenario: Scenario): Scenario {
  const { script } = scenario;
  return where === 'this host' || script.kind !== 'one-of-several'
    ? scenario
    : { ...scenario, script: { ...script, holdSeconds: REMOTE_HOLD_SECONDS } };
}

const startsOf = (scenarios: readonly Scenario[], first: number): readonly PlannedScenario[] =>
  scenarios
    .flatMap((played) =>
      Array.from({ length: played.repetitions }, (_, at) => ({
        played,
        scenario: played.id,
        repetition: at + 1,
      })),
    )
    .map((start, at) => ({ start: first + at, ...start }));

/** Between repetitions: a machine that stalls for a moment then lengthens a different delay of each. */
const REPETITION_AFTER_SECONDS = 0.7;

/** How much later than it could a start begins, in seconds. */
export const startsLaterBy = ({ repetition }: PlannedStart): number =>
  REPETITION_AFTER_SECONDS * (repetition - 1);

/** How long a client is watched at most in a scenario, in seconds from its first request. */
export const watchedAtMost = ({ watchSeconds, silentSeconds = 0 }: Scenario): number =>
  Math.max(watchSeconds, silentSeconds);

/** The order in which starts begin: those that are watched longest first, so that the run ends early. */
export const startingOrder = (starts: readonly PlannedScenario[]): readonly PlannedScenario[] =>
  starts.toSorted((one, other) => other.played.watchSeconds - one.played.watchSeconds);

/** The longest that these starts take in whole seconds, this many of them at a time. A client that ends earlier is not waited for. */
export function longestSeconds(starts: readonly PlannedScenario[], jobs: number): number {
  const slots = Array.from({ length: Math.max(1, jobs) }, () => 0);
  for (const start of startingOrder(starts)) {
    const earliest = slots.indexOf(Math.min(...slots));
    slots[earliest] = (slots[earliest] ?? 0) + startsLaterBy(start) + watchedAtMost(start.played);
  }
  return Math.ceil(Math.max(...slots));
}

/** A key cannot be guessed, and no text contains it by chance. */
export const freshKey = (): string => `pk-${randomBytes(24).toString('base64url')}`;

/** What the path of the base address of one start begins with. No other program uses it by chance; it need not be secret. */
export const freshPrefix = (): string => `/s-${randomBytes(8).toString('hex')}`;

/** A text that marks the processes of one run, or of one start in it. It is no secret. */
export const freshMark = (): string => `petstore-conformance-${randomBytes(9).toString('base64url')}`;
