import { loadSpecification } from '../../spec/specification.ts';
import { WrongTargetError } from '../../suites/index.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { conclude, judgeAndReport } from './conclude.ts';
import { record } from './examination.ts';
import { LostRunError } from './lost-run.ts';
import { prepareFolder } from './recording.ts';
import type { Settings } from './settings.ts';
import { recordUsage } from './usage.ts';

/**
 * Runs a settled examination: records it, notes in the ledger what it used, judges it and says the verdict.
 * @throws {InterruptedError} when the signal aborts, with the journal kept.
 * @throws {LostRunError} when the target cannot be reached (any more); what was answered before is judged.
 * @throws {UserError | JournalError | ReportError} when the run cannot be made, or a file not be written.
 */
export async function certify(
  settings: Settings,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { folder, strict } = settings;
  const specification = await loadSpecification();
  const journal = prepareFolder(folder);
  const run = { journal, folder, specification, strict };
  const usage = recordUsage(settings, Date.now(), terminal);
  try {
    await record(settings, specification, { path: journal, terminal, signal });
  } catch (error) {
    if (error instanceof LostRunError && error.judgeable) await judgeAndReport(run);
    // The record says the same, and its reports are written.
    if (!(error instanceof WrongTargetError)) throw error;
  } finally {
    usage.settle(journal, Date.now());
  }
  return conclude(run, terminal, process.env);
}
