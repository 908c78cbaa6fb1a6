import { readProduct } from '../../../kernel/basics/product.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import type { Baseline } from '../../../kernel/findings/baseline.ts';
import { readBaseline } from '../../../reports/baseline/file.ts';
import type { Plans } from '../../../spec/plans.ts';
import type { SettledRun } from '../../../suites/service/run/run-settings.ts';
import { settleRun } from '../../../suites/service/run/run-settings.ts';
import { FLAGS } from '../../options/names.ts';
import type { CommandOptions } from '../../options/table.ts';
import { runFolder } from '../run-folder.ts';
import type { Subject } from '../subject.ts';
import { furtherKeysFor, plansFor, readSubject } from '../subject.ts';
import type { OutputFormat } from '../terminal.ts';

type CertifyOptions = CommandOptions<'certify'>;

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
  const subject = await readSubject(options, env);
  const { plans, demonstration } = plansFor(subject, options.plans);
  // The bundled server is started for this run alone, with keys of its own.
  const exclusiveKey = subject.kind === 'bundled' || options.exclusiveKey === true;
  const run = settleRun(
    { ...options, exclusiveKey },
    {
      plans,
      furtherKeys: furtherKeysFor(subject, plans, options.plan),
      names: FLAGS,
      env,
      product: readProduct(options.product),
    },
  );
  return {
    subject,
    plans,
    run,
    folder: runFolder(options.out, run.plan.inputs.tag, now),
    strict: options.strict === true,
    baseline: options.baseline === undefined ? undefined : readBaseline(options.baseline),
    baselineWrite: options.baselineWrite,
    format: printed(options.format),
    demonstration,
  };
}

/** The archive of a run is printed of a run that is recorded. @throws {UserError} where it is wanted of a new one. */
function printed(format: CertifyOptions['format']): OutputFormat {
  if (format !== 'har') return format;
  throw new UserError(
    `${FLAGS.format} har is a format of judge: record the run, then print its archive with judge.`,
  );
}
