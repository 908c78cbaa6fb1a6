import { join } from 'node:path';
import type { Limits, Plans } from '../../spec/plans.ts';
import { limitsOf } from '../../spec/plans.ts';
import { readNamePattern } from '../../suites/inputs/name-pattern.ts';
import { randomTag } from '../../suites/inputs/tag.ts';
import { probes } from '../../suites/probes/index.ts';
import type { RunPlan } from '../../suites/run/plan.ts';
import { planRun } from '../../suites/run/plan.ts';
import { stamp } from '../folder.ts';
import type { Subject, SubjectOptions } from '../subject.ts';
import { callersOf, plansFor, readSubject } from '../subject.ts';
import type { OpenapiSource } from './openapi-source.ts';
import { openapiSource, sourceName } from './openapi-source.ts';

/** The options of `certify`, as commander hands them over. */
export interface CertifyOptions extends SubjectOptions {
  readonly plan: string;
  readonly plans?: string;
  readonly openapi?: string;
  readonly namePattern?: string;
  readonly out?: string;
  readonly exclusiveKey?: boolean;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
}

/** A run, settled before anything is sent. */
export interface Settings {
  readonly subject: Subject;
  readonly plans: Plans;
  readonly runPlan: RunPlan;
  readonly furtherLimits: Readonly<Record<string, Limits>>;
  readonly openapi: OpenapiSource | undefined;
  readonly folder: string;
  readonly strict: boolean;
  /** Whether the windows were shortened by this program, so that a demonstration ends in seconds. */
  readonly demonstration: boolean;
}

/**
 * Settles a run from the command line. Reads files and the environment; sends nothing.
 * @throws {UserError | PlanFileError | UnknownEntryError} when an option is wrong.
 */
export async function settle(options: CertifyOptions, env: NodeJS.ProcessEnv, now: Date): Promise<Settings> {
  const subject = await readSubject(options, env);
  const { plans, demonstration } = plansFor(subject, options.plans);
  const limits = limitsOf(plans, options.plan);
  const callers = callersOf(subject, plans, options.plan);
  const openapi = options.openapi === undefined ? undefined : openapiSource(options.openapi);
  const tag = randomTag();
  const inputs = {
    tag,
    limits,
    plan: options.plan,
    ...callers,
    // The bundled server is started for this run, with keys of its own.
    exclusiveKey: subject.kind === 'bundled' || options.exclusiveKey === true,
    ...(options.namePattern === undefined
      ? {}
      : { namePattern: readNamePattern(options.namePattern, '--name-pattern') }),
    // The text is read when the run begins, and with it whatever it refers to; its cost is known without it.
    openapi: openapi === undefined ? undefined : [{ source: sourceName(openapi), text: '' }],
  };
  return {
    subject,
    plans,
    runPlan: planRun(probes, inputs),
    furtherLimits: Object.fromEntries(callers.furtherPlans.map((name) => [name, limitsOf(plans, name)])),
    openapi,
    folder: options.out ?? join('out', `${stamp(now)}-${tag}`),
    strict: options.strict === true,
    demonstration,
  };
}
