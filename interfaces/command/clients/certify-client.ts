import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InterruptedError, UserError } from '../../../kernel/basics/errors.ts';
import { COMMAND, shellWord } from '../../../kernel/basics/text.ts';
import { prepareRunFolder } from '../../../reports/run-folder.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { needsSeriesWithoutHeader } from '../../../suites/client/judging/requirements/backs-off.ts';
import type { ClientJournalLine } from '../../../suites/client/model/journal.ts';
import { freshKey } from '../../../suites/client/run/plan.ts';
import { recordClient } from '../../../suites/client/run/record-client.ts';
import { recordAttached } from '../../../suites/client/run/record-running-client.ts';
import { templates, templateText } from '../../../suites/client/templates/index.ts';
import { FLAGS } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import { optionsOf } from '../../options/table.ts';
import type { Surroundings } from '../../run/progress.ts';
import { watched } from '../../run/progress.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Steps } from '../run.ts';
import { makeRun } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import type { RecordedClient } from './judge-client.ts';
import { judgeRecordedClient } from './judge-client.ts';
import { clientPreview, clientRunSoFar } from './preview.ts';
import type { AttachedClientSettings, ClientSettings, CommandSettings } from './settings.ts';
import { settleClient } from './settings.ts';

const clientCertification: Steps<ClientSettings, string, RecordedClient, ClientJournalLine> = {
  preview: clientPreview,
  admit: ({ folder }, { report }) => prepareRunFolder({ path: folder, report }),
  async *record(settled, journal, around) {
    if (settled.kind === 'command') await playTo(settled, journal, around);
    else await serveAttached(settled, journal, around);
    yield { ...settled, journal };
  },
  judge: judgeRecordedClient,
};

/** Tests a client, or the bundled exemplary client where no command is given; or prints a template. */
export async function certifyClient(
  options: CommandOptions<'certify-client'>,
  words: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const template = templates.find(({ language }) => language === options.template);
  if (template === undefined) {
    const command = words.length > 0 ? words : (options.command ?? []);
    return makeRun(clientCertification, settleClient(options, command, new Date()), terminal, signal);
  }
  terminal.out.write(templateText(template));
  return EXIT.conforms;
}

/**
 * What follows the program is the client's, so an option there would start the client instead of what it is meant for.
 * @throws {UserError} where one stands there without a `--` that says so.
 */
export function rejectOptionsIn([program = '', ...further]: readonly string[]): void {
  const flags = optionsOf('certify-client').map((name) => FLAGS[name]);
  const option = further.find((word) => flags.includes(word.replace(/=.*$/s, '')))?.replace(/=.*$/s, '');
  if (option === undefined) return;
  throw new UserError(
    `${option} stands behind the program: write it before the program (certify-client ${option} -- ${program} …), or put -- before the program where the client itself takes it.`,
  );
}

/**
 * Serves a client that the user attaches, until Ctrl-C. The key is in a file that only this user can read, because
 * what a terminal shows is often kept.
 * @throws {UserError} when no request arrived, or the service cannot listen.
 */
async function serveAttached(
  { client, address, product }: AttachedClientSettings,
  path: string,
  around: Surroundings<ClientJournalLine>,
): Promise<void> {
  const key = process.env['PETSTORE_API_KEY'] || freshKey();
  const spec = await loadSpecification();
  const { host, port, targetAt } = address;
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  const onListening = (at: number): void =>
    around.print(...instructions(targetAt(at), environmentFile(folder, targetAt(at), key)));
  try {
    const requests = await watched(around, clientRunSoFar(0), (observe) =>
      recordAttached(
        { where: client.where, spec, product, key, host, port, onListening },
        { path, observe, signal: around.signal },
      ),
    );
    if (requests > 0) return;
    throw new UserError(
      'The client sent no request, so nothing can be judged: attach it, then end with Ctrl-C.',
    );
  } finally {
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

/** Plays the scenarios to a client. @throws {InterruptedError} when the signal aborts; the journal is kept. */
async function playTo(
  settled: CommandSettings,
  path: string,
  around: Surroundings<ClientJournalLine>,
): Promise<void> {
  const { words, address, plan } = settled;
  const equipment = { words, ...address, env: process.env, firstRequestSeconds: FIRST_REQUEST_SECONDS };
  const spec = await loadSpecification();
  const needed = { spec, equipment, needsMoreOfBackoff: needsSeriesWithoutHeader };
  const end = await watched(around, clientRunSoFar(plan.starts.length), (observe) =>
    recordClient({ ...settled, ...needed }, { path, observe, signal: around.signal }),
  );
  if (end === 'interrupted') {
    throw new InterruptedError(
      `Interrupted: every process of the client was ended. Judge what was recorded with: ${COMMAND} judge ${shellWord(path)}`,
    );
  }
}
