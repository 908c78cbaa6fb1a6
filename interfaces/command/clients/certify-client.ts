import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { InterruptedError, UserError } from '../../../kernel/basics/errors.ts';
import { shellWord } from '../../../kernel/basics/text.ts';
import type { ServiceRecord } from '../../../kernel/findings/record.ts';
import { prepareRunFolder, writeRunFolder } from '../../../reports/write.ts';
import { limitsOf, loadPlans } from '../../../spec/plans.ts';
import type { Specification } from '../../../spec/specification.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judgeClient } from '../../../suites/client/judging/judge-client.ts';
import { needsSeriesWithoutHeader } from '../../../suites/client/judging/requirements/backs-off.ts';
import { serviceTraffic, shownByTraffic } from '../../../suites/client/judging/service-traffic.ts';
import type { ClientJournalLine } from '../../../suites/client/model/journal.ts';
import { readClientJournal } from '../../../suites/client/run/journal-reader.ts';
import { freshKey } from '../../../suites/client/run/plan.ts';
import { recordAttached } from '../../../suites/client/run/record-attached.ts';
import { recordClient } from '../../../suites/client/run/record-client.ts';
import { judge } from '../../../suites/service/judge/judge.ts';
import type { RecordedRun } from '../certify/conclude.ts';
import { present } from '../certify/conclude.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { folderAt } from '../folder.ts';
import { showProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { ClientRunSoFar } from './preview.ts';
import type { AttachedClientSettings, ClientSettings, CommandSettings } from './settings.ts';

/** The plan that is assumed of a watched client, whose key says nothing of it. */
const PLAN = 'free';

/** What the traffic of a watched client shows of the service behind it; undefined where there is no journal of such a client. */
export function watchedServiceRecord(
  lines: readonly ClientJournalLine[],
  specification: Specification,
  strict: boolean,
): ServiceRecord | undefined {
  const traffic = serviceTraffic(lines, PLAN, limitsOf(loadPlans(), PLAN));
  if (traffic === undefined) return undefined;
  return shownByTraffic(
    judge({ lines: traffic.lines, damage: [] }, specification, { strict, watched: true }),
    traffic,
  );
}

/**
 * Judges the journal of a client, writes its reports and prints the verdict, for a run that has just ended as for an old one.
 * @throws {UserError} when the client sent nothing: the reports are written, and there is no verdict.
 */
export async function concludeClient(
  run: RecordedRun,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const { journal, strict } = run;
  const specification = await loadSpecification();
  const contents = readClientJournal(journal);
  const record = judgeClient(contents, specification, { strict });
  await writeRunFolder(record, run, folderAt(run.folder, terminal));
  const service = watchedServiceRecord(contents.lines, specification, strict);
  const code = service === undefined ? EXIT.conforms : await concludeService(service, run, terminal, env);
  const client = present(record, run, terminal, env);
  return code === EXIT.violates ? code : client;
}

/** The reports of the service behind a watched client, in a folder of their own. */
async function concludeService(
  record: ServiceRecord,
  run: RecordedRun,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const ofService = { ...run, folder: join(run.folder, 'service') };
  await writeRunFolder(record, ofService, folderAt(ofService.folder, terminal));
  print(terminal, 'The service:', '');
  const code = present(record, ofService, terminal, env);
  print(terminal, '', 'The client:', '');
  return code;
}

const NO_STARTS = { starts: [], ifUnclear: [] };

/**
 * Serves a client that the user attaches, until Ctrl-C. The key is in a file that only this user can read, because
 * what a terminal shows is often kept.
 * @throws {UserError} when no request arrived, or the service cannot listen.
 */
async function serveAttached(
  { client, address, product }: AttachedClientSettings,
  specification: Specification,
  path: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const key = process.env['PETSTORE_API_KEY'] || freshKey();
  const now = (): number => performance.now();
  const progress = showProgress(terminal, new ClientRunSoFar(NO_STARTS, now), now);
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  try {
    const requests = await recordAttached(
      {
        where: client.where,
        spec: specification,
        product,
        key,
        host: address.host,
        port: address.port,
        onListening: (port) => {
          const target = address.targetAt(port);
          print(terminal, ...instructions(target, environmentFile(folder, target, key)));
        },
      },
      { path, observe: (line) => progress.observe(line), signal },
    );
    if (requests === 0) {
      throw new UserError(
        'The client sent no request, so nothing can be judged: attach it, then end with Ctrl-C.',
      );
    }
  } finally {
    progress.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function environmentFile(folder: string, target: string, key: string): string {
  const path = join(folder, 'client.env');
  const text = `export PETSTORE_TARGET=${shellWord(target)}\nexport PETSTORE_API_KEY=${shellWord(key)}\n`;
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const instructions = (target: string, file: string): readonly string[] => [
  `The service listens at ${target}. In another terminal, give your client its address and key:`,
  '',
  `  . ${shellWord(file)}`,
  '',
  'Let it send requests, one at a time; Ctrl-C here ends the run and writes the report.',
  '',
];

/** Java compiles a program of one file before it starts it, which took more than 15 s on a busy machine; a client that takes longer hardly sends anything. */
const FIRST_REQUEST_SECONDS = 30;

/**
 * Tests a client as settled: plays the scenarios to it, judges the journal, writes the reports and prints the verdict.
 * @throws {InterruptedError} when the signal aborts while the client is started by this program; the journal is kept.
 * @throws {UserError | JournalError | ReportError} when the client cannot be tested or a file cannot be written.
 */
export async function certifyClient(
  settings: ClientSettings,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { folder, strict } = settings;
  const specification = await loadSpecification();
  const journal = prepareRunFolder(folderAt(folder, terminal));
  if (settings.kind === 'command') await record(settings, specification, journal, terminal, signal);
  else await serveAttached(settings, specification, journal, terminal, signal);
  return concludeClient({ journal, folder, strict, format: 'console' }, terminal, process.env);
}

async function record(
  { client, product, plan, jobs, seconds, words, address }: CommandSettings,
  specification: Specification,
  journal: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const now = (): number => performance.now();
  const progress = showProgress(terminal, new ClientRunSoFar(plan, now), now);
  try {
    const end = await recordClient(
      {
        client,
        spec: specification,
        product,
        plan,
        jobs,
        seconds,
        equipment: {
          words,
          host: address.host,
          targetAt: address.targetAt,
          env: process.env,
          firstRequestSeconds: FIRST_REQUEST_SECONDS,
        },
        needsMoreOfBackoff: needsSeriesWithoutHeader,
      },
      { path: journal, observe: (line) => progress.observe(line), signal },
    );
    if (end === 'interrupted') throw interrupted(journal);
  } finally {
    progress.stop();
  }
}

const interrupted = (journal: string): InterruptedError =>
  new InterruptedError(
    `Interrupted: every process of the client was ended. Judge what was recorded with: petstore-conformance judge ${shellWord(journal)}`,
  );
