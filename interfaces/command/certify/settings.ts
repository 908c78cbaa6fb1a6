import { readProduct } from '../../../kernel/basics/product.ts';
import { COMMAND } from '../../../kernel/basics/text.ts';
import { isLoopback } from '../../../kernel/exchanges/loopback.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { obstacleToFullDay } from '../../../kernel/usage-ledger/admission.ts';
import { dayUsageOf, dayUsageText } from '../../../kernel/usage-ledger/day-usage.ts';
import { GuardError, userLedger } from '../../../kernel/usage-ledger/ledger.ts';
import type { Fault, RunOption } from '../../../reference-server/catalogue/faults/fault.ts';
import { decidingOptions } from '../../../reference-server/catalogue/faults/fault.ts';
import type { Plans } from '../../../spec/plans.ts';
import type { RunInputs } from '../../../suites/service/probes/probe.ts';
import { requestsOfDay } from '../../../suites/service/run/plan.ts';
import type { SettledRun } from '../../../suites/service/run/run-settings.ts';
import { settleRun } from '../../../suites/service/run/run-settings.ts';
import { FLAGS } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import { lacksKeys } from '../../options/target.ts';
import { readJudging } from '../../run/judging.ts';
import { runFolder } from '../folder.ts';
import type { SettledCommand } from '../run.ts';
import type { Subject } from '../subject.ts';
import { furtherKeysFor, plansFor, readSubject } from '../subject.ts';
import { dryRunText } from '../terminal.ts';

export interface CertifySettings extends SettledCommand {
  readonly subject: Subject;
  readonly plans: Plans;
  readonly run: SettledRun;
  /** Whether this program shortened the windows, so that a demonstration ends in seconds. */
  readonly demonstration: boolean;
}

/**
 * Settles a run from the command line. Reads files and the environment; sends nothing.
 * @throws {UserError} when an option is wrong.
 */
export async function settleCertify(
  options: CommandOptions<'certify'>,
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
    ...readJudging(options),
    dryRun: options.dryRun === true ? [dryRunText('sent', lacksKeys(options, env))] : undefined,
    // An archive is a format of judge, and no choice of this command.
    format: options.format === 'json' ? 'json' : 'console',
    demonstration,
  };
}

/**
 * What the key has used of its day, for the preview; undefined for the bundled server, for
 * loopback and where nothing was used.
 * @param now milliseconds since the Unix epoch.
 */
export function dayUsageBefore({ subject, run }: CertifySettings, now: number): string | undefined {
  if (subject.kind === 'bundled' || isLoopback(subject.access.baseUrl)) return undefined;
  const { keys, baseUrl } = subject.access;
  const { limits } = run.plan.inputs;
  try {
    const usage = dayUsageOf(userLedger().historyOf(keys.key, baseUrl.origin).runs, limits, now);
    return usage.used === 0 ? undefined : dayUsageText(usage, limits, now);
  } catch (error) {
    if (error instanceof GuardError) return error.message;
    throw error;
  }
}

/**
 * Checks that the ledger shows an unused day where the run uses all of it. The bundled server is started for the run.
 * @param now milliseconds since the Unix epoch.
 * @throws {GuardError} when some of the day is used, or the ledger cannot show whether it is.
 */
export function checkUnusedDay({ subject, run }: CertifySettings, now: number): void {
  if (subject.kind === 'bundled' || requestsOfDay(run.plan) === undefined) return;
  const { keys, baseUrl } = subject.access;
  const ledger = userLedger();
  const history = ledger.historyOf(keys.key, baseUrl.origin);
  const { limits } = run.plan.inputs;
  const obstacle = obstacleToFullDay(history, { limits, ledger: ledger.folder }, now);
  if (obstacle !== undefined) throw new GuardError(obstacle);
}

type RunOptions = Pick<RunInputs, 'exclusiveKey' | 'disposableKey' | 'thorough' | 'spendDay'>;

/** The option of the command that gives a run each of these, and whether a run has it. */
const NEEDED: Readonly<Record<RunOption, readonly [flag: string, isGiven: (run: RunOptions) => boolean]>> = {
  'exclusive key': ['--exclusive-key', ({ exclusiveKey }) => exclusiveKey],
  'disposable key': ['--disposable-key-env', ({ disposableKey }) => disposableKey],
  thorough: ['--thorough', ({ thorough }) => thorough],
  'used day': ['--spend-day', ({ spendDay }) => spendDay === true],
};

/**
 * The record of a run against the bundled server with this fault. Where nothing of the fault shows, it says why instead
 * of "conforms": that sentence would be about a server that violates the specification.
 */
export function withInjectedFault(record: RunRecord, fault: Fault, inputs: RunOptions): RunRecord {
  const { requirements, observations, headline } = record;
  const shows =
    requirements.some(({ verdict }) => verdict === 'fail' || verdict === 'warn') ||
    observations.some(({ warning }) => warning !== undefined);
  if (shows || headline !== undefined) return record;
  const { id, breaks, warnings, undecidable } = fault;
  const violated = undecidable === undefined ? [...breaks, ...warnings] : [undecidable.requirement];
  const [because, fix] = whyNot(fault, inputs);
  const text = `This run does not show the injected fault \`${id}\`, which violates ${violated.join(' and ')}: ${because}`;
  return { ...record, outcome: 'incomplete', headline: { kind: 'fault-not-shown', text, fix } };
}

/** Why nothing of a fault shows, and what would show it. */
function whyNot(fault: Fault, inputs: RunOptions): readonly [because: string, fix: string] {
  const { id, undecidable, needs } = fault;
  const missing = [...needs, ...decidingOptions(fault)].find((option) => !NEEDED[option][1](inputs));
  if (missing === 'disposable key')
    return [
      'it needs a disposable key, which this run has for faults of bans alone.',
      `Start \`serve --fault ${id}\`, and certify that with \`--target\` and \`--disposable-key-env\`.`,
    ];
  if (missing !== undefined) return [`it needs \`${NEEDED[missing][0]}\`.`, `Add \`${NEEDED[missing][0]}\`.`];
  if (undecidable !== undefined)
    return [
      `no sound run can. ${undecidable.because}`,
      `\`${COMMAND} explain ${undecidable.requirement}\` lists what ${undecidable.requirement} cannot see.`,
    ];
  return [
    'its evidence does not suffice.',
    'Run again with `--thorough`, for all requirements, and with a plan file (`--plans`) whose `"minuteSeconds"` is 60.',
  ];
}
