import { existsSync } from 'node:fs';
import { availableParallelism, hostname } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import type { Product } from '../../../kernel/basics/product.ts';
import { readProduct } from '../../../kernel/basics/product.ts';
import { didYouMean, quoted } from '../../../kernel/basics/text.ts';
import type { ClientDescription, ClientHost } from '../../../suites/client/model/journal.ts';
import type { ClientRequirementId } from '../../../suites/client/model/scenario.ts';
import { planStarts, scenarioFor } from '../../../suites/client/run/plan.ts';
import type { ClientRunSettings } from '../../../suites/client/run/record-client.ts';
import { scenarios } from '../../../suites/client/scenarios/index.ts';
import { exemplaryClient } from '../../../suites/client/templates/index.ts';
import { FLAGS } from '../../options/command-line.ts';
import { givenBeside } from '../../options/given.ts';
import type { CommandOptions } from '../../options/table.ts';
import { readJudging } from '../../run/judging.ts';
import { runFolder } from '../folder.ts';
import type { SettledCommand } from '../run.ts';
import { dryRunText } from '../terminal.ts';

/** Whether a client reads the clock of this machine, by `--remote`. */
export const hostOf = (remote: boolean): ClientHost => (remote ? 'another host' : 'this host');

const LOOPBACK = '127.0.0.1';
const EVERY_ADDRESS: readonly string[] = ['0.0.0.0', '::'];

/**
 * Reads `--listen HOST[:PORT]`. Without it, services listen at the loopback address, and with `--remote` at every
 * address of this machine; the client then gets the name of this machine. `targetAt` is the base address of a service at
 * a port, below a prefix of its path where one is given; port 0 is any free one.
 * @throws {UserError} when it is no such text.
 */
export function listenAddress(text: string | undefined, remote: boolean) {
  const { host, port } = text === undefined ? { host: remote ? '0.0.0.0' : LOOPBACK, port: 0 } : parsed(text);
  const name = EVERY_ADDRESS.includes(host) ? hostname() : host;
  const inUrl = name.includes(':') ? `[${name}]` : name;
  return { host, port, targetAt: (at: number, prefix = '') => `http://${inUrl}:${at}${prefix}/v1` };
}

function parsed(text: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<name>[A-Za-z0-9._-]+))(?::(?<port>\d{1,5}))?$/.exec(text);
  const { v6, name, port = '0' } = match?.groups ?? {};
  const host = v6 ?? name;
  if (host === undefined || Number(port) > 65_535) {
    throw new UserError(
      '--listen takes an address of this machine, with a port or without: --listen 192.0.2.7, --listen [2001:db8::7]:8080.',
    );
  }
  return { host, port: Number(port) };
}

type CertifyClientOptions = CommandOptions<'certify-client'>;

/** A run that tests a client, settled before anything is started. */
export type ClientSettings = CommandSettings | AttachedClientSettings;

interface SharedSettings extends SettledCommand {
  readonly address: ReturnType<typeof listenAddress>;
  readonly product: Product | undefined;
}

export interface CommandSettings
  extends SharedSettings,
    Pick<ClientRunSettings, 'client' | 'plan' | 'jobs' | 'seconds'> {
  readonly kind: 'command';
  /** Its program and arguments as they are started. */
  readonly words: readonly [string, ...string[]];
  /** Whether it is the bundled exemplary client, because no command was given. */
  readonly exemplary: boolean;
}

export interface AttachedClientSettings extends SharedSettings {
  readonly kind: 'attached';
  readonly client: Extract<ClientDescription, { kind: 'attached' }>;
}

/** So many clients at a time leave their delays undisturbed: they wait most of the time. */
const JOBS_PER_CORE = 4;

/**
 * Settles a run from the command line.
 * @param words the command after `--`; none for the exemplary client.
 * @throws {UserError} when an option is wrong.
 */
export function settleClient(
  options: CertifyClientOptions,
  words: readonly string[],
  now: Date,
): ClientSettings {
  if (process.platform === 'win32') {
    throw new UserError(
      'certify-client needs process groups, which Windows does not have: run it in WSL or in a container.',
    );
  }
  const remote = options.remote === true;
  const where = hostOf(remote);
  const shared = {
    address: listenAddress(options.listen, remote),
    folder: runFolder(options.out, 'client', now),
    ...readJudging(options),
    format: 'console' as const,
    dryRun: options.dryRun === true ? [dryRunText('started')] : undefined,
    product: readProduct(options.product),
  };
  if (options.serve === true) {
    assertOnlyServing(options, words);
    return { ...shared, kind: 'attached', client: { kind: 'attached', where } };
  }
  if (shared.address.port !== 0) {
    throw new UserError(
      '--listen takes a port only with --serve: every start of the client has a service of its own, at a free port.',
    );
  }
  const { command, described, exemplary } = commandOf(words);
  return {
    ...shared,
    kind: 'command',
    client: { kind: 'command', words: described, where },
    words: command,
    exemplary,
    plan: planStarts(
      scenarios.map((scenario) => scenarioFor(where, scenario)),
      { only: requirementIds(options.only), thorough: options.thorough === true },
    ),
    jobs: options.jobs ?? JOBS_PER_CORE * availableParallelism(),
    seconds: options.seconds,
  };
}

function assertOnlyServing(options: CertifyClientOptions, words: readonly string[]): void {
  const without = [
    ...(words.length > 0 ? ['a command'] : []),
    ...givenBeside('serve', 'certify-client', options).map((name) => FLAGS[name]),
  ];
  if (without.length > 0) {
    throw new UserError(
      `--serve waits for a client that you attach and goes without ${without.join(', ')}: leave out one of both.`,
    );
  }
}

function commandOf(given: readonly string[]) {
  const [program, ...args] = given;
  if (program !== undefined) {
    checkProgram(program, process.env);
    return { command: [program, ...args] as const, described: given, exemplary: false };
  }
  const [node = process.execPath, ...rest] = exemplaryClient.start(exemplaryClient.path);
  return {
    command: [node, ...rest] as const,
    described: ['node', basename(exemplaryClient.path)],
    exemplary: true,
  };
}

function requirementIds(texts: readonly string[] | undefined): readonly ClientRequirementId[] | undefined {
  if (texts === undefined) return undefined;
  const known = [...new Set(scenarios.flatMap(({ decides }) => decides))].toSorted();
  return texts
    .flatMap((text) => text.split(','))
    .map((part) => {
      const id = known.find((one) => one === part.trim().toUpperCase());
      if (id !== undefined) return id;
      throw new UserError(
        `--only names the requirement "${part.trim()}", which no scenario decides.${didYouMean(part.trim(), known)} These are: ${known.join(', ')}.`,
      );
    });
}

/** Checks that the program of a client exists, before a run is previewed and started. @throws {UserError} where it does not. */
function checkProgram(name: string, env: NodeJS.ProcessEnv): void {
  const folders = (env['PATH'] ?? '').split(delimiter);
  const places = name.includes('/') ? [name] : folders.map((folder) => join(folder, name));
  if (places.some((place) => existsSync(place))) return;
  const where = name.includes('/') ? 'at this path' : 'in the folders of PATH';
  throw new UserError(
    `The client ${quoted(name)} could not be started: there is no such program ${where}. Give a program and its arguments after "--", as in a shell without its operators.`,
  );
}
