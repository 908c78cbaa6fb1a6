import { join } from 'node:path';
import type { Plans } from '../../spec/plans.ts';
import type { SettledRun } from '../../suites/index.ts';
import { settleRun } from '../../suites/index.ts';
import { COMMAND_LINE } from '../../suites/inputs/input-names.ts';
import { readNamePattern } from '../../suites/inputs/name-pattern.ts';
import { readOpenapiSource } from '../../suites/inputs/openapi/source.ts';
import { checkSpendDay } from '../../suites/run/spend-day-check.ts';
import { UserError } from '../../words/user-error.ts';
import type { ProductOptions } from '../commands/options.ts';
import { timeStamp } from '../folder.ts';
import { statedProduct } from '../product.ts';
import type { Subject, SubjectOptions } from '../subject.ts';
import { furtherKeysFor, plansFor, readSubject } from '../subject.ts';

/** The options of `certify`, as commander hands them over. */
export interface CertifyOptions extends SubjectOptions, ProductOptions {
  readonly plan: string;
  readonly plans?: string;
  readonly openapi?: string;
  readonly namePattern?: string;
  readonly challenge?: string;
  readonly out?: string;
  readonly exclusiveKey?: boolean;
  readonly thorough?: boolean;
  readonly spendDay?: boolean;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
}

/** A certification run, settled before anything is sent. */
export interface CertifySettings {
  readonly subject: Subject;
  readonly plans: Plans;
  readonly run: SettledRun;
  /** For the journal and the reports. */
  readonly folder: string;
  readonly strict: boolean;
  /** Whether this program shortened the windows, so that a demonstration ends in seconds. */
  readonly demonstration: boolean;
}

/**
 * Settles a run from the command line. Reads files and the environment; sends nothing.
 * @throws {UserError | PlanFileError | UnknownEntryError} when an option is wrong.
 */
export async function settleCertify(
  options: CertifyOptions,
  env: NodeJS.ProcessEnv,
  now: Date,
): Promise<CertifySettings> {
  const { plan, namePattern, openapi } = options;
  const subject = await readSubject(options, env);
  const { plans, demonstration } = plansFor(subject, options.plans);
  const run = settleRun({
    plans,
    plan,
    furtherKeys: furtherKeysFor(subject, plans, plan),
    spendDay: options.spendDay === true,
    // The bundled server is started for this run alone, with keys of its own.
    exclusiveKey: subject.kind === 'bundled' || options.exclusiveKey === true,
    thorough: options.thorough === true,
    challenge: readChallenge(options),
    product: statedProduct(options),
    namePattern:
      namePattern === undefined ? undefined : readNamePattern(namePattern, COMMAND_LINE.namePattern),
    openapi: openapi === undefined ? undefined : readOpenapiSource(openapi, COMMAND_LINE.openapi, env),
  });
  checkSpendDay(run.plan, COMMAND_LINE.spendDay);
  return {
    subject,
    plans,
    run,
    folder: options.out ?? join('out', `${timeStamp(now)}-${run.plan.inputs.tag}`),
    strict: options.strict === true,
    demonstration,
  };
}

/** Printable ASCII without a line end, so that it can be compared by eye and typed on a command line. */
const CHALLENGE = /^[\x20-\x7e]{8,200}$/;

function readChallenge({ challenge, namePattern }: CertifyOptions): string | undefined {
  if (challenge === undefined) return undefined;
  if (!CHALLENGE.test(challenge)) {
    throw new UserError(
      '--challenge takes 8 to 200 printable ASCII characters that an examiner chose, such as "audit 2026-11-22 8f3a".',
    );
  }
  if (namePattern === undefined) return challenge;
  throw new UserError(
    '--challenge and --name-pattern cannot be combined: the names carry either the challenge or the pattern.',
  );
}
