import { InterruptedError, UserError } from '../../../kernel/basics/errors.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import type { FoundK6 } from '../../../load/k6/find.ts';
import { findK6 } from '../../../load/k6/find.ts';
import type { AdmittedLoad } from '../../../load/run/guard.ts';
import { admitLoad } from '../../../load/run/guard.ts';
import { K6_FILES } from '../../../load/run/k6-command.ts';
import { K6StartError } from '../../../load/run/k6-process.ts';
import type { RecordedJob, RecordedLoad } from '../../../load/run/record-load.ts';
import { recordLoad } from '../../../load/run/record-load.ts';
import { RUN_FILE } from '../../../load/run/run-file.ts';
import { COMPRESSED_SAMPLES_FILE, SAMPLES_FILE } from '../../../load/run/samples.ts';
import type { BanPolicy } from '../../../reference-server/limiters/ban.ts';
import { prepareRunFolder } from '../../../reports/write.ts';
import { ownSpecification } from '../../../spec/specification.ts';
import { baseUrlText } from '../../../suites/service/inputs/base-url.ts';
import { randomTag } from '../../../suites/service/inputs/name-pattern.ts';
import type { ExitCode } from '../exit-code.ts';
import { aborted, EXIT } from '../exit-code.ts';
import { folderAt, runFolder } from '../folder.ts';
import { showProgress } from '../progress.ts';
import { compareRuns, DEFAULT_TOLERANCE, repetitionsIn, setFolders } from '../reports/compare-runs.ts';
import { demoKey, serving } from '../subject.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { concludeLoad } from './conclude-load.ts';
import { LoadSoFar } from './preview.ts';
import { repeatRun } from './repeat-run.ts';
import type { LoadSettings } from './settings.ts';

/** The address, keys and connection settings of a target for k6. */
type LoadTarget = Pick<
  RecordedJob,
  'baseUrl' | 'bundled' | 'keys' | 'headers' | 'caFile' | 'clientCertificate'
>;

/** Calls `use` with the targets of these settings, in their order. */
async function withLoadTargets<T>(
  [first, ...others]: readonly LoadSettings[],
  use: (targets: readonly LoadTarget[]) => Promise<T>,
): Promise<T> {
  if (first === undefined) return use([]);
  return withLoadTarget(first, (target) => withLoadTargets(others, (further) => use([target, ...further])));
}

/** Calls `use` with the target of a run; starts the bundled server before and stops it afterwards where that is the target. */
async function withLoadTarget<T>(
  settings: LoadSettings,
  use: (target: LoadTarget) => Promise<T>,
): Promise<T> {
  const { subject, plans, plan, fleet, keysFile, caFile } = settings;
  if (subject.kind === 'target') {
    const { baseUrl, keys, headers, clientCertificate } = subject.access;
    const { key, other, disposable } = keys;
    const file = keysFile === undefined ? undefined : { path: keysFile, plan };
    return use({
      baseUrl: baseUrlText(baseUrl),
      keys: { key, other, disposable, fleet, file },
      ...{ headers, caFile, clientCertificate },
    });
  }
  return serving({ plans, ...subject.behaviour.server, ...banFor(settings) }, (server) => {
    // No profile uses both the other and the disposable key, and both must belong to the plan.
    const [key, second] = [demoKey(server.keys, plan, 0), demoKey(server.keys, plan, 1)];
    return use({
      baseUrl: server.baseUrl,
      keys: { key, other: second, disposable: second, fleet: [key, second] },
      headers: [],
      bundled: true,
    });
  });
}

/** Requests despite 429 after which the bundled server bans an offender, so that a ban can be observed. */
const BAN_AFTER = 5;

function banFor({ profile, inputs }: LoadSettings): { readonly ban?: BanPolicy } {
  if (profile.banRisk !== 'intended') return {};
  return { ban: { after: BAN_AFTER, seconds: 2 * inputs.limits.minuteSeconds } };
}

/**
 * Runs a profile, as often as the settings say: admits all runs together, finds k6, records, judges and reports each
 * run, and settles the ledger.
 * @returns the exit code of the verdict; of several runs, of the worst.
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
  const folder = runFolder(settings.folder, `load-${tag}`, new Date());
  const sets = settings.against === undefined ? [settings] : [settings, settings.against];
  const accounts = admitAll(sets);
  const settle = () => {
    for (const account of accounts) account.settle();
  };
  const k6 = await prepare(folder, settings, { settle, terminal, signal });
  const spec = await ownSpecification();
  const code = await withLoadTargets(sets, (targets) =>
    repeatRun(
      { ...settings, folder },
      { terminal, signal, settle },
      async ({ set, number, isLast, ...own }) => {
        const [ownSettings, target, account] = [sets[set], targets[set], accounts[set]];
        if (ownSettings === undefined || target === undefined || account === undefined)
          throw new RangeError(`There is no set ${set}.`);
        if (own.folder !== folder) prepareRunFolder(folderAt(own.folder, terminal), RECORDED);
        const job: RecordedJob = {
          ...ownSettings,
          ...target,
          ...own,
          suite: SUITE,
          spec,
          tag: number === 1 ? tag : `${tag}-${number}`,
        };
        const run = await recordWithProgress(job, { k6, account, terminal, signal });
        const isFinished = run.record.ended.how === 'finished';
        if (isLast || !isFinished) settle();
        const hasOwnAuthority = settings.caFile !== undefined;
        return { code: await concludeLoad({ ...run, ...own, hasOwnAuthority }, terminal), isFinished };
      },
    ),
  );
  return settings.against === undefined ? code : compareSets(folder, terminal);
}

/** Admits the runs of all targets, or none. */
function admitAll(sets: readonly LoadSettings[]): readonly AdmittedLoad[] {
  const accounts: AdmittedLoad[] = [];
  try {
    for (const set of sets) accounts.push(admitLoad(set, Date.now()));
    return accounts;
  } catch (error) {
    for (const account of accounts) account.settle();
    throw error;
  }
}

/** Compares the runs against the second target with those against the first. */
async function compareSets(folder: string, terminal: Terminal): Promise<ExitCode> {
  const [target, against] = setFolders(folder);
  if ([target, against].some((set) => repetitionsIn(set).length === 0)) return EXIT.incomplete;
  print(terminal, '', `Compared: ${target} (FIRST) and ${against} (SECOND)`);
  return compareRuns(target, against, { tolerance: DEFAULT_TOLERANCE, format: 'console' }, terminal);
}

/** What a run needs besides its job. */
interface Surroundings {
  readonly k6: FoundK6;
  readonly account: AdmittedLoad;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Finds k6 and makes an empty folder; releases the admission where that fails, since nothing was sent. */
async function prepare(
  folder: string,
  { repetitions, against }: LoadSettings,
  {
    settle,
    terminal,
    signal,
  }: { readonly settle: () => void; readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<FoundK6> {
  try {
    const k6 = await requireK6(terminal, signal);
    const parts = against === undefined ? [folder] : [folder, ...setFolders(folder)];
    for (const part of parts) {
      prepareRunFolder(folderAt(part, terminal), repetitions === 1 ? RECORDED : repetitionsIn(part));
    }
    return k6;
  } catch (error) {
    settle();
    throw error;
  }
}

/** The files that a run leaves in its folder besides its reports. */
const RECORDED = [RUN_FILE, SAMPLES_FILE, COMPRESSED_SAMPLES_FILE, ...Object.values(K6_FILES)];

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

/** Records a run and shows its progress. Where the run is lost, the ledger keeps the most it may have sent. */
async function recordWithProgress(
  job: RecordedJob,
  { k6, account, terminal, signal }: Surroundings,
): Promise<RecordedLoad> {
  const progress = showProgress(
    terminal,
    new LoadSoFar(job.profile.scenarios(job.inputs), Date.now),
    Date.now,
  );
  try {
    const run = await recordLoad(job, {
      k6: k6.path,
      k6Version: k6.version,
      env: process.env,
      signal,
      sharesTerminal: process.stdin.isTTY === true,
      observe: (record) => progress.observe(record),
    });
    account.add(run.sent);
    return run;
  } catch (error) {
    if (error instanceof K6StartError) account.settle();
    throw error;
  } finally {
    progress.stop();
  }
}
