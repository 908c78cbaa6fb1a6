import { UserError } from '../../../kernel/basics/errors.ts';
import type { Product } from '../../../kernel/basics/product.ts';
import { durationText, groupedNumber } from '../../../kernel/basics/text.ts';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { Selection } from '../../../kernel/findings/tested.ts';
import type { Limits, Plans } from '../../../spec/plans.ts';
import { limitsOf } from '../../../spec/plans.ts';
import type { Specification } from '../../../spec/specification.ts';
import { randomTag, readNamePattern } from '../inputs/name-pattern.ts';
import type { OpenapiSource } from '../inputs/openapi/read-document.ts';
import { openapiSourceName, readOpenapiSource } from '../inputs/openapi/read-document.ts';
import { probes } from '../probes/index.ts';
import type { Probe } from '../probes/probe.ts';
import { dayShareOfPace, mostOfDay, paceDuration } from '../probes/spend-day.ts';
import type { ClientCertificate } from '../wire/http-wire.ts';
import type { FurtherKeys, Keys } from '../wire/keyring.ts';
import type { RunPlan } from './plan.ts';
import { planRun, requestsOfDay } from './plan.ts';
import type { InputNames, SelectionOptions } from './select.ts';
import { probesFor, readSelection } from './select.ts';

export interface TargetAccess {
  /** Without a slash at its end. */
  readonly baseUrl: URL;
  readonly keys: Keys;
  /** PEM text of a certificate authority to trust besides the built-in ones. */
  readonly certificateAuthority: string | undefined;
  /** What the run shows a target or gateway that asks for a certificate of the client. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Header lines that a gateway in front of the target wants on every request. */
  readonly headers: readonly HeaderLine[];
  /** Whether `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply. */
  readonly proxied: boolean;
  /** The server that comes with this program, which a certificate must not be about. */
  readonly bundled?: true;
}

/** The most requests of a day that a run uses: each is an exchange in the journal and in memory. */
const LARGEST_DAY = 20_000;

/** A bucket must not give back more of the day than this share of what the permitted pace uses. */
const MOST_GIVEN_BACK = 0.5;

/** @param option what the user calls the option. @throws {UserError} when the day is too large for the pace, or too short to be used. */
function checkSpendDay(run: RunPlan, option: string): void {
  const { limits, plan } = run.inputs;
  const { perDay, perMinute, minuteSeconds, daySeconds } = limits;
  const own = requestsOfDay(run);
  if (own === undefined) return;
  const others = run.total.withKey - own;
  if (others >= perDay) {
    throw new UserError(
      `${option} needs a day of more requests than the ${groupedNumber(others)} that the rest of the run sends with the key; plan "${plan}" has ${groupedNumber(perDay)}.`,
    );
  }
  if (perDay > LARGEST_DAY) {
    throw new UserError(
      `${option} would send ${groupedNumber(perDay + 1)} requests of plan "${plan}" in about ${durationText(paceDuration(perDay, limits))}, and up to ${groupedNumber(mostOfDay(limits))} if the target does not enforce the day; it uses days of at most ${groupedNumber(LARGEST_DAY)} requests: use a plan file with a smaller day, on a staging system that has it.`,
    );
  }
  if (dayShareOfPace(limits) > MOST_GIVEN_BACK) {
    throw new UserError(
      `${option} cannot use the ${groupedNumber(perDay)} requests that plan "${plan}" has in ${durationText(daySeconds)}: at ${groupedNumber(perMinute)} requests in ${durationText(minuteSeconds)} a bucket gives back too much meanwhile; use a plan file with a longer day or a smaller quota for it.`,
    );
  }
}

/** What is settled of a run before its target is reached, so that its cost can be shown. */
export interface SettledRun {
  readonly plan: RunPlan;
  /** The limits of every further plan that a key was given for. */
  readonly furtherLimits: Readonly<Record<string, Limits>>;
  /** The target's OpenAPI document, where the user named one. */
  readonly openapi: OpenapiSource | undefined;
  /** What the run is limited to; undefined where it is complete. */
  readonly selection: Selection | undefined;
  readonly product: Product | undefined;
}

/** Everything that a run needs: what to send, where to, and the specification that its journal names. */
export interface RunSettings extends SettledRun {
  readonly target: TargetAccess;
  readonly specification: Specification;
}

/** What a user decides about a run, as it was given: the command, the library and Playwright have the same options. */
export interface RunOptions extends SelectionOptions {
  /** The plan of the key under test; `free` by default. */
  readonly plan?: string | undefined;
  readonly exclusiveKey?: boolean | undefined;
  readonly thorough?: boolean | undefined;
  readonly spendDay?: boolean | undefined;
  readonly namePattern?: string | undefined;
  readonly openapi?: string | undefined;
}

/** What the interface adds to the options of its user. */
export interface RunSurroundings {
  readonly plans: Plans;
  readonly furtherKeys: FurtherKeys;
  readonly names: InputNames;
  /** Says whether the OpenAPI document is read through a proxy; none by default. */
  readonly env?: NodeJS.ProcessEnv;
  readonly product?: Product | undefined;
  /** Ids that the interface itself selects, as by Playwright's `--grep`; undefined where it was not. */
  readonly selected?: readonly string[] | undefined;
  /** How each probe is run; as it is by default. */
  readonly wrapProbe?: ((probe: Probe) => Probe) | undefined;
}

/** Which probes a run sends and what they cost. Sends nothing. @throws {UserError} when an option or a plan is wrong. */
export function settleRun(options: RunOptions, around: RunSurroundings): SettledRun {
  const { plan = 'free', exclusiveKey = false, thorough = false, spendDay = false } = options;
  const { plans, furtherKeys, names, env = {}, product, selected, wrapProbe = (probe) => probe } = around;
  checkQuick(options, names);
  const namePattern = readNamePattern(options.namePattern, names.namePattern);
  const openapi = readOpenapiSource(options.openapi, names.openapi, env);
  const selection = readSelection(options, names, selected);
  const needed = selection === undefined ? probes : probesFor(selection, thorough);
  const settled = planRun(needed.map(wrapProbe), {
    tag: randomTag(),
    limits: limitsOf(plans, plan),
    plan,
    ...furtherKeys,
    exclusiveKey,
    thorough,
    spendDay,
    namePattern,
    // The documents are read when the run begins; the cost of the run does not depend on their text.
    openapi: openapi === undefined ? undefined : [{ source: openapiSourceName(openapi), text: '' }],
  });
  checkSpendDay(settled, names.spendDay);
  return {
    plan: settled,
    furtherLimits: Object.fromEntries(furtherKeys.furtherPlans.map((name) => [name, limitsOf(plans, name)])),
    openapi,
    selection,
    product,
  };
}

/** A quick run sends nothing that needs a 429. */
function checkQuick(options: RunOptions, names: InputNames): void {
  if (options.quick !== true) return;
  for (const option of ['thorough', 'spendDay'] as const) {
    if (options[option] !== true) continue;
    throw new UserError(
      `${names[option]} needs a 429, which ${names.quick} leaves out: give one of the two.`,
    );
  }
}
