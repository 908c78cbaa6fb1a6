import { performance } from 'node:perf_hooks';
import { UserError } from '../../../kernel/basics/errors.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { prepareRunFolder } from '../../../reports/write.ts';
import { LostRunError, WrongTargetError } from '../../../suites/service/run/record-run.ts';
import { recordToFile } from '../../../suites/service/run/record-to-file.ts';
import { FLAGS } from '../../options/command-line.ts';
import type { ExitCode } from '../exit-code.ts';
import { folderAt } from '../folder.ts';
import { showProgress } from '../progress.ts';
import { withAccess } from '../subject.ts';
import type { Terminal } from '../terminal.ts';
import type { RecordedRun } from './conclude.ts';
import { conclude, judgeAndReport } from './conclude.ts';
import { CertificationSoFar, fromFirstResponse } from './preview.ts';
import type { CertifySettings } from './settings.ts';
import { withInjectedFault } from './settings.ts';

/**
 * Runs what was settled: records the run, shows its preview once the target responds, judges the journal, writes the reports and prints the verdict.
 * @throws {InterruptedError} when the signal aborts; the journal is kept.
 * @throws {UserError} when the target is lost (the exchanges before that are judged) or is not the service.
 * @throws {UserError | JournalError | ReportError} when the run cannot be made or a file cannot be written.
 */
export async function certify(
  settings: CertifySettings,
  terminal: Terminal,
  signal: AbortSignal,
  preview: () => void,
): Promise<ExitCode> {
  const { folder, strict, baseline, baselineWrite, format } = settings;
  const journal = prepareRunFolder(folderAt(folder, terminal));
  const completed = (found: RunRecord): RunRecord => withSubject(found, settings);
  const recorded = { journal, folder, strict, baseline, baselineWrite, format, completed };
  try {
    await record(settings, journal, terminal, signal, preview);
  } catch (error) {
    if (error instanceof LostRunError && error.judgeable)
      throw await lostButJudged(error, recorded, terminal);
    // The record says the same, so its reports are written and the verdict below ends with this error.
    if (!(error instanceof WrongTargetError)) throw error;
  }
  return conclude(recorded, terminal, process.env);
}

/** The record, with what is known of the bundled server: its fault may not show. */
const withSubject = (record: RunRecord, { subject, run }: CertifySettings): RunRecord =>
  subject.kind === 'bundled' && subject.behaviour.fault !== undefined
    ? withInjectedFault(record, subject.behaviour.fault, run.plan.inputs)
    : record;

/** Milliseconds on a monotonic clock. */
const now = (): number => performance.now();

/** Records the run and shows its progress. */
async function record(
  { subject, plans, run }: CertifySettings,
  path: string,
  terminal: Terminal,
  signal: AbortSignal,
  preview: () => void,
): Promise<void> {
  await withAccess(subject, plans, run.plan.inputs.plan, async (target) => {
    const progress = fromFirstResponse(terminal, () => {
      preview();
      return showProgress(terminal, new CertificationSoFar(run.plan, now), now);
    });
    // Printed after the progress, whose live line would overwrite them.
    const problems: string[] = [];
    const report = (problem: string): void => void problems.push(problem);
    try {
      await recordToFile(run, target, {
        path,
        ledger: subject.kind === 'bundled' ? { enters: 'no run' } : { enters: 'every run', report },
        names: FLAGS,
        observe: (line) => progress.observe(line),
        signal,
      });
    } finally {
      progress.stop();
      for (const problem of problems) terminal.err.write(`${problem}\n`);
    }
  });
}

async function lostButJudged(
  { message }: LostRunError,
  recorded: RecordedRun,
  terminal: Terminal,
): Promise<UserError> {
  await judgeAndReport(recorded, terminal);
  return new UserError(`${message} The reports in ${recorded.folder} cover the exchanges before that.`);
}
