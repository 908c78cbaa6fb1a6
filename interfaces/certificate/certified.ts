import { durationText } from '../../kernel/basics/duration-text.ts';
import type { Product } from '../../kernel/basics/product.ts';
import { groupedNumber, quoted } from '../../kernel/basics/text.ts';
import type { Limits } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';

/** What a certificate is about, from what was recorded and never from the report. Texts may be foreign. */
export interface Certified {
  /** The base address of a service, or how the client was run. */
  readonly subject: string;
  /** The plan of the key under test and its numbers; undefined of a client. */
  readonly plan: { readonly name: string; readonly limits: Limits } | undefined;
  /** Whether the run tested the server that comes with this program. */
  readonly bundledServer: boolean;
  /** Whether the run was limited to a part of the requirements. */
  readonly partial: boolean;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The outcome in the words of every report: `conforms: core + isolation`. */
  readonly words: string;
  /** What the user stated about the product. */
  readonly product?: Product | undefined;
}

/** What a run found: requirements of a certification run, expectations and thresholds of a load run. */
export interface ResultOfRun {
  readonly outcome: 'conforms' | 'violates' | 'incomplete';
  readonly requirements: readonly { readonly id: string; readonly verdict: string }[];
}

/** The windows of the specification, in seconds. */
const MINUTE = 60;
const DAY = 86_400;

/** Why a true certificate does not say that its subject conforms, in sentences; empty where it says so. */
export function shortcomingsOf(
  { plan, bundledServer, partial }: Certified,
  report: ResultOfRun,
): readonly string[] {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  const { minuteSeconds, daySeconds } = plan?.limits ?? { minuteSeconds: MINUTE, daySeconds: DAY };
  return [
    ...(failed.length > 0 ? [`The run failed ${failed.join(', ')}.`] : []),
    ...(partial ? ['The run was limited to a part of the requirements.'] : []),
    ...(report.outcome === 'incomplete' && !partial
      ? ['The run is incomplete: nothing failed, but not everything was decided.']
      : []),
    ...(minuteSeconds !== MINUTE || daySeconds !== DAY
      ? [
          `The windows of the run were no minute and day but ${durationText(minuteSeconds)} and ${durationText(daySeconds)}: a demonstration.`,
        ]
      : []),
    ...(plan === undefined ? [] : planShortcomings(plan)),
    ...(bundledServer ? ['The run tested the server that comes with this program.'] : []),
  ];
}

/** A plan file of the vendor's own may state any numbers: those of the specification are known, but for what is set by agreement. */
function planShortcomings({ name, limits }: NonNullable<Certified['plan']>): readonly string[] {
  const { plans } = loadPlans();
  const stated = Object.hasOwn(plans, name) ? plans[name] : undefined;
  if (stated === undefined)
    return [`The specification has no plan ${quoted(name)}, so its limits are those of whoever ran this.`];
  if (stated === null || (stated.perMinute === limits.perMinute && stated.perDay === limits.perDay))
    return [];
  return [
    `The run was judged by other limits than the specification has for plan ${name}: ${groupedNumber(stated.perMinute)} requests a minute and ${groupedNumber(stated.perDay)} a day.`,
  ];
}
