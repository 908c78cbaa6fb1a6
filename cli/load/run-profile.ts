import { join } from 'node:path';
import type { FoundK6 } from '../../load/k6/find.ts';
import { findK6 } from '../../load/k6/find.ts';
import type { KeyAlias } from '../../load/model/profile.ts';
import { K6_FILES } from '../../load/run/k6-command.ts';
import { K6StartError } from '../../load/run/k6-process.ts';
import type { RecordedJob, RecordedLoad } from '../../load/run/record-load.ts';
import { recordLoad } from '../../load/run/record-load.ts';
import { RUN_FILE } from '../../load/run/run-file.ts';
import { COMPRESSED_SAMPLES_FILE, SAMPLES_FILE } from '../../load/run/sample-files.ts';
import { LOAD_REPORTS } from '../../reports/index.ts';
import { randomTag } from '../../suites/inputs/tag.ts';
import { SUITE } from '../../suites/model/suite.ts';
import type { Admission } from '../../usage-ledger/admission.ts';
import { InterruptedError } from '../../words/interrupted-error.ts';
import { UserError } from '../../words/user-error.ts';
import type { ExitCode } from '../exit-code.ts';
import { makeFolder, removeFiles, timeStamp } from '../folder.ts';
import { aborted } from '../interruption.ts';
import type { Terminal } from '../terminal.ts';
import { admitLoad } from './guard.ts';
import { withLoadTarget } from './load-target.ts';
import { createLoadProgress } from './progress.ts';
import { reportLoad } from './report-load.ts';
import type { LoadSettings } from './settings.ts';

/**
 * Runs a profile: admits the run, finds k6, records and judges the run, settles the
 * ledger, and reports the verdict.
 * @throws {GuardError} when the run must not start.
 * @throws {UserError | K6BinError | K6StartError} when k6 is missing, or the folder cannot be made.
 * @throws {InterruptedError} when the signal aborts; the measurements are kept.
 */
export async function runProfile(
  settings: LoadSettings,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const tag = randomTag();
  const folder = settings.folder ?? join('out', `${timeStamp(new Date())}-load-${tag}`);
  const admission = admitLoad(settings, Date.now());
  const k6 = await prepare(folder, { admission, terminal, signal });
  const run = await withLoadTarget(settings, (target) =>
    recordWithProgress({ ...jobOf(settings), ...target, tag, folder }, { k6, admission, terminal, signal }),
  );
  return reportLoad({ ...run, folder, hasOwnAuthority: settings.caFile !== undefined }, terminal);
}

/** What a run needs besides its job. */
interface Surroundings {
  readonly admission: Admission<KeyAlias>;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Finds k6 and makes an empty folder; releases the admission where that fails, since nothing was sent. */
async function prepare(folder: string, { admission, terminal, signal }: Surroundings): Promise<FoundK6> {
  try {
    const k6 = await requireK6(terminal, signal);
    makeFolder(folder);
    removeFiles(folder, [
      RUN_FILE,
      SAMPLES_FILE,
      COMPRESSED_SAMPLES_FILE,
      ...Object.values(K6_FILES),
      ...LOAD_REPORTS,
    ]);
    return k6;
  } catch (error) {
    admission.settle({}, Date.now());
    throw error;
  }
}

/** Finds k6, or installs it; Ctrl-C interrupts that as well. */
async function requireK6({ err }: Terminal, signal: AbortSignal): Promise<FoundK6> {
  const interrupted = aborted(signal).then(() => {
    throw new InterruptedError('Interrupted while looking for k6: nothing was sent.');
  });
  const search = findK6({ report: (line) => void err.write(`${line}\n`) });
  const k6 = await Promise.race([interrupted, search]);
  if (k6.kind === 'found') return k6;
  const tried = k6.tried.map(({ source, why }) => `${source}: ${why}`).join('; ');
  throw new UserError(`No usable k6 was found (${tried}). ${k6.advice}`);
}

/** The part of a job that the settings decide. */
const jobOf = ({ profile, inputs, outputs, plan, product, latencyThresholdMs }: LoadSettings) => ({
  suite: SUITE,
  profile,
  inputs,
  outputs,
  plan,
  ...(product === undefined ? {} : { product }),
  ...(latencyThresholdMs === undefined ? {} : { latencyThresholdMs }),
});

/** Records a run, shows its progress, and settles the ledger. Where the run is lost, the ledger keeps the most it may have sent. */
async function recordWithProgress(
  job: RecordedJob,
  { k6, admission, terminal, signal }: Surroundings & { readonly k6: FoundK6 },
): Promise<RecordedLoad> {
  const progress = createLoadProgress(terminal, job.profile.scenarios(job.inputs), Date.now);
  try {
    const run = await recordLoad(job, {
      k6: k6.path,
      k6Version: k6.version,
      env: process.env,
      signal,
      sharesTerminal: process.stdin.isTTY === true,
      observe: (record) => progress.observe(record),
    });
    admission.settle(run.sent, Date.now());
    return run;
  } catch (error) {
    if (error instanceof K6StartError) admission.settle({}, Date.now());
    throw error;
  } finally {
    progress.stop();
  }
}
