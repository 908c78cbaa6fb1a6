import { InterruptedError, UserError } from '../../../kernel/basics/errors.ts';
import type { FoundK6 } from '../../../load/k6/find.ts';
import { findK6 } from '../../../load/k6/find.ts';
import { keysByAlias } from '../../../load/model/key-list.ts';
import type { AdmittedLoad } from '../../../load/run/guard.ts';
import { admitLoad, checkGuard } from '../../../load/run/guard.ts';
import { K6_FILES } from '../../../load/run/k6-command.ts';
import { K6StartError } from '../../../load/run/k6-process.ts';
import type { Reached, RecordedJob, RecordedLoad } from '../../../load/run/record-load.ts';
import { recordLoad } from '../../../load/run/record-load.ts';
import { RUN_FILE } from '../../../load/run/run-file.ts';
import type { ScenarioRecord } from '../../../load/run/samples.ts';
import { COMPRESSED_SAMPLES_FILE, SAMPLES_FILE } from '../../../load/run/samples.ts';
import type { BanPolicy } from '../../../reference-server/limiters/ban.ts';
import { prepareRunFolder } from '../../../reports/run-folder.ts';
import { baseUrlText } from '../../../suites/service/inputs/base-url.ts';
import type { Surroundings } from '../../run/progress.ts';
import { watched } from '../../run/progress.ts';
import type { ExitCode } from '../exit-code.ts';
import { aborted, EXIT } from '../exit-code.ts';
import type { Steps } from '../run.ts';
import { demoKey, serving } from '../subject.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { loadPreviewJson, loadPreviewLines, loadSoFar } from './preview.ts';
import { repeated, repetitionsIn, setFolders } from './repeat-run.ts';
import type { LoadSettings } from './settings.ts';

type Around = Surroundings<ScenarioRecord>;

/** The steps of a load run. A repeated profile is recorded, judged and reported each time. */
export const loading: Steps<LoadSettings, ReturnType<typeof admit>, RecordedLoad, ScenarioRecord> = {
  preview,
  admit,
  record,
  judge: async (recorded) => [await (await judging()).judgeRecordedLoad(recorded)],
  compare,
};

const setsOf = (settled: LoadSettings): readonly LoadSettings[] =>
  settled.against === undefined ? [settled] : [settled, settled.against];

function preview(settled: LoadSettings): readonly string[] {
  const now = Date.now();
  const reports = setsOf(settled).map((set) => checkGuard(set, now));
  const obstacles = reports.flatMap((report) => report.obstacles);
  const guard = { usage: undefined, damagedLines: 0, ...reports[0], obstacles };
  return settled.json ? [loadPreviewJson(settled, guard)] : loadPreviewLines(settled, guard, now);
}

/** Admits the runs of all targets, each in the ledger, or none; finds k6 and makes empty folders. Where that fails, nothing was sent. */
async function admit(settled: LoadSettings, around: Around) {
  const accounts: AdmittedLoad[] = [];
  const { folder, against, repetitions } = settled;
  try {
    for (const set of setsOf(settled)) accounts.push(admitLoad(set, Date.now()));
    const k6 = await requireK6(around);
    for (const part of against === undefined ? [folder] : [folder, ...setFolders(folder)]) {
      const left = repetitions === 1 ? RECORDED : repetitionsIn(part);
      prepareRunFolder({ path: part, report: around.report }, left);
    }
    return { accounts, k6 };
  } catch (error) {
    settle(accounts);
    throw error;
  }
}

function settle(accounts: readonly AdmittedLoad[]): void {
  for (const account of accounts) account.settle();
}

/** The files that a run leaves in its folder besides its reports. */
const RECORDED = [RUN_FILE, SAMPLES_FILE, COMPRESSED_SAMPLES_FILE, ...Object.values(K6_FILES)];

/** Finds k6, or installs it; Ctrl-C interrupts that as well. */
async function requireK6({ report, signal }: Around): Promise<FoundK6> {
  const interrupted = aborted(signal).then(() => {
    throw new InterruptedError('Interrupted while looking for k6: nothing was sent.');
  });
  const k6 = await Promise.race([interrupted, findK6({ report })]);
  if (k6.kind === 'found') return k6;
  const tried = k6.tried.map(({ source, why }) => `${source}: ${why}`).join('; ');
  throw new UserError(`No usable k6 was found (${tried}). ${k6.advice}`);
}

/** @throws {InterruptedError} when the signal aborts between two runs. */
async function* record(
  settled: LoadSettings,
  { accounts, k6 }: Awaited<ReturnType<typeof admit>>,
  around: Around,
): AsyncGenerator<RecordedLoad> {
  const settleAll = (): void => settle(accounts);
  yield* repeated(settled, { ...around, settle: settleAll }, async ({ set, number, folder }) => {
    const [own, account] = [setsOf(settled)[set], accounts[set]];
    if (own === undefined || account === undefined) throw new RangeError(`There is no set ${set}.`);
    if (folder !== settled.folder) prepareRunFolder({ path: folder, report: around.report }, RECORDED);
    const tag = number === 1 ? settled.tag : `${settled.tag}-${number}`;
    const run = await withLoadTarget(own, (target) =>
      recordWithProgress({ ...own, ...target, folder, tag }, k6, around),
    ).catch((error: unknown) => {
      // Where a run is lost in another way, the ledger keeps the most that it may have sent.
      if (error instanceof K6StartError) settleAll();
      throw error;
    });
    account.add(run.sent);
    return run;
  });
}

/** What judges and reports a run is loaded after its first response, so that neither its first request nor its end waits for it. */
const judging = () => import('./judge-load.ts');

const recordWithProgress = (job: RecordedJob, k6: FoundK6, around: Around): Promise<RecordedLoad> =>
  watched(around, loadSoFar(job.profile.scenarios(job.inputs)), (observe) => {
    let isFirst = true;
    return recordLoad(job, {
      ...{ k6: k6.path, k6Version: k6.version, env: process.env, signal: around.signal },
      observe(record) {
        if (isFirst) void judging().then(() => import('../report.ts'));
        isFirst = false;
        observe(record);
      },
      sharesTerminal: process.stdin.isTTY === true,
    });
  });

/** Calls `use` with the target of a run; starts the bundled server before and stops it afterwards where that is the target. */
async function withLoadTarget<T>(
  settings: LoadSettings,
  use: (target: Reached & Pick<RecordedJob, 'keys'>) => Promise<T>,
): Promise<T> {
  const { subject, plans, plan, keys } = settings;
  if (subject.kind === 'target') {
    const { baseUrl, headers, clientCertificate } = subject.access;
    return use({ baseUrl: baseUrlText(baseUrl), keys, headers, clientCertificate });
  }
  return serving({ plans, ...subject.behaviour.server, ...banFor(settings) }, (server) => {
    // No profile uses both the other and the disposable key, and both must belong to the plan.
    const [key, second] = [demoKey(server.keys, plan, 0), demoKey(server.keys, plan, 1)];
    return use({
      baseUrl: server.baseUrl,
      keys: keysByAlias({ key, other: second, disposable: second }, [key, second]),
      headers: [],
      bundled: true,
    });
  });
}

/** Requests despite 429 after which the bundled server bans an offender, so that a ban can be observed. */
const BAN_AFTER = 5;

function banFor({ preview, inputs }: LoadSettings): { readonly ban?: BanPolicy } {
  if (preview.banRisk !== 'intended') return {};
  return { ban: { after: BAN_AFTER, seconds: 2 * inputs.limits.minuteSeconds } };
}

async function compare({ folder, against }: LoadSettings, terminal: Terminal): Promise<ExitCode | undefined> {
  if (against === undefined) return undefined;
  const [target, other] = setFolders(folder);
  if ([target, other].some((set) => repetitionsIn(set).length === 0)) return EXIT.incomplete;
  print(terminal, '', `Compared: ${target} (FIRST) and ${other} (SECOND)`);
  const { compareRuns, DEFAULT_TOLERANCE } = await import('../reports/compare-runs.ts');
  return compareRuns(target, other, { tolerance: DEFAULT_TOLERANCE, format: 'console' }, terminal);
}
