import type { Limits, Plans } from '../../spec/plans.ts';
import { limitsOf } from '../../spec/plans.ts';
import type { Specification } from '../../spec/specification.ts';
import type { Product } from '../../words/product.ts';
import type { OpenapiSource } from '../inputs/openapi/source.ts';
import { openapiSourceName } from '../inputs/openapi/source.ts';
import { challengeTag, randomTag } from '../inputs/tag.ts';
import type { TargetAccess } from '../inputs/target-access.ts';
import type { Challenge, Selection } from '../model/journal.ts';
import { probes } from '../probes/index.ts';
import type { Probe } from '../probes/probe.ts';
import type { Keys } from '../wire/keyring.ts';
import type { RunPlan } from './plan.ts';
import { planRun } from './plan.ts';
import { probesFor } from './select.ts';

/** What is settled of a run before its target is reached, so that its cost can be shown. */
export interface SettledRun {
  readonly plan: RunPlan;
  /** The limits of every further plan that a key was given for. */
  readonly furtherLimits: Readonly<Record<string, Limits>>;
  /** The target's OpenAPI document, where the user named one. */
  readonly openapi: OpenapiSource | undefined;
  /** The examiner's text that the names of the run carry. */
  readonly challenge: Challenge | undefined;
  /** What the run is limited to; undefined where it is complete. */
  readonly selection?: Selection | undefined;
  /** What the user stated about the product under test. */
  readonly product: Product | undefined;
}

/** Everything that a run needs: what to send, where to, and the specification that its journal names. */
export interface RunSettings extends SettledRun {
  readonly target: TargetAccess;
  readonly specification: Pick<Specification, 'version' | 'digest'>;
}

/** Which keys a run has besides the key under test. */
export interface FurtherKeys {
  readonly otherKey: boolean;
  readonly exhaustedKey: boolean;
  readonly disposableKey: boolean;
  /** The names of further plans. */
  readonly furtherPlans: readonly string[];
}

/** What a user decides about a run. */
export interface RunChoices {
  readonly plans: Plans;
  /** The plan of the key under test. */
  readonly plan: string;
  readonly furtherKeys: FurtherKeys;
  /** The user states that no other client uses the key under test during the run. */
  readonly exclusiveKey: boolean;
  /** Whether two further windows are tested. */
  readonly thorough: boolean;
  /** Use the daily quota of the key; no by default. */
  readonly spendDay?: boolean;
  readonly namePattern?: string | undefined;
  readonly openapi?: OpenapiSource | undefined;
  /** A text of an examiner's choice, which the names of the run carry. */
  readonly challenge?: string | undefined;
  /** What the run is limited to; nothing by default. */
  readonly selection?: Selection | undefined;
  /** How each probe is run; as it is by default. */
  readonly wrapProbe?: (probe: Probe) => Probe;
  /** What the user states about the product under test. */
  readonly product?: Product | undefined;
}

/** Which further keys are among these. */
export const furtherKeysIn = ({ other, exhausted, disposable, plans = {} }: Keys): FurtherKeys => ({
  otherKey: other !== undefined,
  exhaustedKey: exhausted !== undefined,
  disposableKey: disposable !== undefined,
  furtherPlans: Object.keys(plans),
});

/**
 * Settles a run: which probes it sends and what they cost. Draws the run's random tag; sends nothing.
 * @throws {PlanFileError} when a plan is unknown or has no limits.
 */
export function settleRun(choices: RunChoices): SettledRun {
  const { plans, plan, furtherKeys, exclusiveKey, thorough, namePattern, openapi, selection } = choices;
  const challenge =
    choices.challenge === undefined ? undefined : { text: choices.challenge, nonce: randomTag() };
  const { wrapProbe = (probe) => probe } = choices;
  const needed = selection === undefined ? probes : probesFor(selection, thorough);
  const inputs = {
    tag: challenge === undefined ? randomTag() : challengeTag(challenge),
    limits: limitsOf(plans, plan),
    plan,
    ...furtherKeys,
    exclusiveKey,
    thorough,
    spendDay: choices.spendDay === true,
    ...(namePattern === undefined ? {} : { namePattern }),
    // The documents are read when the run begins; the cost of the run does not depend on their text.
    openapi: openapi === undefined ? undefined : [{ source: openapiSourceName(openapi), text: '' }],
  };
  return {
    plan: planRun(needed.map(wrapProbe), inputs),
    furtherLimits: Object.fromEntries(furtherKeys.furtherPlans.map((name) => [name, limitsOf(plans, name)])),
    openapi,
    challenge,
    selection,
    product: choices.product,
  };
}
