import { readBaseline } from '../../reports/baseline/file.ts';
import type { Plans } from '../../spec/plans.ts';
import type { SettledRun } from '../../suites/index.ts';
import { settleRun } from '../../suites/index.ts';
import { rejectBesideQuick } from '../../suites/inputs/beside-quick.ts';
import { readChallenge } from '../../suites/inputs/challenge.ts';
import { COMMAND_LINE } from '../../suites/inputs/input-names.ts';
import { readNamePattern } from '../../suites/inputs/name-pattern.ts';
import { readOpenapiSource } from '../../suites/inputs/openapi/source.ts';
import type { Baseline } from '../../suites/model/baseline.ts';
import { readSelection } from '../../suites/run/read-selection.ts';
import { checkSpendDay } from '../../suites/run/spend-day-check.ts';
import type { ProductOptions } from '../commands/options.ts';
import { runFolder } from '../folder.ts';
import { statedProduct } from '../product.ts';
import type { Subject, SubjectOptions } from '../subject.ts';
import { furtherKeysFor, plansFor, readSubject } from '../subject.ts';
import type { OutputFormat } from '../terminal.ts';

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
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly quick?: boolean;
  readonly spendDay?: boolean;
  readonly strict?: boolean;
  readonly baseline?: string;
  readonly baselineWrite?: string;
  readonly format: OutputFormat;
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
  /** The known violations of the target, where the user names them. */
  readonly baseline: Baseline | undefined;
  /** The path of a baseline to write. */
  readonly baselineWrite: string | undefined;
  readonly format: OutputFormat;
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
  rejectBesideQuick(options, COMMAND_LINE);
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
    challenge: readChallenge(options.challenge, namePattern, COMMAND_LINE),
    product: statedProduct(options),
    namePattern:
      namePattern === undefined ? undefined : readNamePattern(namePattern, COMMAND_LINE.namePattern),
    openapi: openapi === undefined ? undefined : readOpenapiSource(openapi, COMMAND_LINE.openapi, env),
    selection: readSelection(options),
  });
  checkSpendDay(run.plan, COMMAND_LINE.spendDay);
  return {
    subject,
    plans,
    run,
    folder: runFolder(options.out, run.plan.inputs.tag, now),
    strict: options.strict === true,
    baseline: options.baseline === undefined ? undefined : readBaseline(options.baseline),
    baselineWrite: options.baselineWrite,
    format: options.format,
    demonstration,
  };
}
