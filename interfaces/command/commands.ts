import type { Command } from 'commander';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../kernel/basics/errors.ts';
import type { HelpTexts } from '../options/command-line.ts';
import { repeated } from '../options/command-line.ts';
import type { Taker } from '../options/row.ts';
import type { CommandOptions } from '../options/table.ts';
import type { AttestOptions } from './certificate/attestation.ts';
import type { Shell } from './completion.ts';
import type { ExitCode } from './exit-code.ts';
import { interruptible } from './exit-code.ts';
import * as help from './help-texts.ts';
import type { InitOptions } from './init.ts';
import type { CompareOptions } from './reports/compare-runs.ts';
import type { MatrixOptions } from './reports/write-matrix.ts';
import type { Terminal } from './terminal.ts';

/** What a command acts with, besides its own arguments and options. */
export interface Around {
  readonly terminal: Terminal;
  readonly args: readonly string[];
}

/** A command of the program. To state it reads no file, and loads nothing that only its action needs. */
export interface CommandEntry {
  readonly name: string;
  /** What it does, for every help text and for completion. */
  readonly description: string;
  /** It takes the options that the table has for this taker. */
  readonly taker?: Taker;
  /** Adds its arguments, and the options that are not in the table. */
  readonly declare?: (command: Command) => unknown;
  /** What its help says besides. With `HelpTexts`, the help fits a screen, and the configuration file gives options. */
  readonly help: string | (() => Promise<HelpTexts>);
  readonly commands?: readonly CommandEntry[];
  /** Gets the arguments, the options and the command, as commander has them. Without an exit code it ends with 0. */
  readonly action: (around: Around, ...given: never[]) => Promise<ExitCode | undefined>;
}

const REPORT_FORMATS = ['console', 'markdown', 'json'] as const satisfies readonly CompareOptions['format'][];
const SERVERS = ['github', 'gitlab', 'jenkins', 'none'] as const satisfies readonly InitOptions['ci'][];
const SHELLS = ['bash', 'zsh', 'fish'] as const satisfies readonly Shell[];

const choiceOf = (option: string, what: string, choices: readonly string[]): Option =>
  new Option(option, what).choices(choices).default(choices[0]);

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'certify',
    description:
      'test whether a target conforms to the specification; without --target, the bundled reference server',
    taker: 'certify',
    help: async () => help.CERTIFY,
    action: ({ terminal }, options: CommandOptions<'certify'>) =>
      interruptible(async (signal) => {
        const { makeRun } = await import('./run.ts');
        const { certification } = await import('./certify/certify.ts');
        const { settleCertify } = await import('./certify/settings.ts');
        const settled = await settleCertify(options, process.env, new Date());
        return makeRun(certification, settled, terminal, signal);
      }),
  },
  {
    name: 'certify-client',
    description:
      'test whether a client conforms to the specification; without a command, the bundled exemplary client',
    taker: 'certify-client',
    declare: (command) =>
      command
        .argument('[command...]', 'program of the client and its arguments, after --')
        .passThroughOptions(),
    help: async () => help.CERTIFY_CLIENT,
    action: async (
      { terminal, args },
      words: readonly string[],
      options: CommandOptions<'certify-client'>,
    ) => {
      const { certifyClient, rejectOptionsIn } = await import('./clients/certify-client.ts');
      if (!args.includes('--')) rejectOptionsIn(words);
      return interruptible((signal) => certifyClient(options, words, terminal, signal));
    },
  },
  {
    name: 'serve',
    description: 'run the reference server, or list its faults and conforming variants',
    taker: 'serve',
    help: help.SERVE,
    action: async ({ terminal }, options: CommandOptions<'serve'>) => {
      if (options.list === undefined) return (await import('./serve.ts')).serve(options, terminal);
      const { listFaults, listVariants } = await import('./listings.ts');
      await (options.list === 'faults' ? listFaults : listVariants)(terminal, options.json === true);
      return undefined;
    },
  },
  {
    name: 'explain',
    description:
      'list every requirement, or explain a requirement (what it rests on, how it is judged, how to fix it) or an expectation of load',
    declare: (command) =>
      command
        .argument(
          '[id]',
          'id of a requirement, such as RATE-3, or of an expectation of load, such as NO-429; without it, every id is listed',
        )
        .option('--markdown', 'print the page as Markdown')
        .option('--json', 'print the list as JSON'),
    help: help.EXPLAIN,
    action: async (
      { terminal },
      id: string | undefined,
      { markdown, json }: { markdown?: boolean; json?: boolean },
    ) => {
      const { listRequirements } = await import('./listings.ts');
      if (id === undefined) {
        await listRequirements(terminal, json === true);
        return undefined;
      }
      const { pageLines, pageNamed } = await import('../handbook/page.ts');
      const { print } = await import('./terminal.ts');
      const page = pageNamed(id.toUpperCase());
      print(terminal, ...(markdown === true ? [page.trimEnd()] : pageLines(page)));
      return undefined;
    },
  },
  {
    name: 'attest',
    description: 'sign a run, so that others can check it: its journal or samples, and its report',
    declare: (command) =>
      command
        .argument('<folder>', 'folder of a run of certify, certify-client or load')
        .option('--key <file>', 'Ed25519 private key in PEM form')
        .option('--key-env <var>', 'environment variable that holds the PEM text instead')
        .option('--days <n>', 'how many days the attestation is valid', wholeDays, 90)
        .option(
          '--countersign',
          'add a signature to an attestation: the examiner confirms the same statement',
        ),
    help: help.ATTEST,
    action: async ({ terminal }, folder: string, options: AttestOptions) =>
      (await import('./certificate/attestation.ts')).attest(folder, options, terminal),
  },
  {
    name: 'verify',
    description:
      'check the attestation of a run: signatures, digests, date, and the verdicts by judging the journal again',
    declare: (command) =>
      command
        .argument('<folder>', 'folder of a run with its attestation.json')
        .requiredOption(
          '--key <file>',
          'Ed25519 public key in PEM form that must have signed; repeatable',
          repeated,
        ),
    help: help.VERIFY,
    action: async ({ terminal }, folder: string, { key }: { key: readonly string[] }) =>
      (await import('./certificate/attestation.ts')).verifyFolder(folder, key, terminal),
  },
  {
    name: 'watch',
    description:
      'record the traffic between your application and a service, and judge both when you press Ctrl-C',
    taker: 'watch',
    help: help.WATCH,
    action: async ({ terminal }, options: CommandOptions<'watch'>) => {
      const { watch } = await import('./clients/watch.ts');
      return interruptible((signal) => watch(options, terminal, signal));
    },
  },
  {
    name: 'judge',
    description: 'judge a recorded run again, offline',
    taker: 'judge',
    declare: (command) =>
      command.argument(
        '<run...>',
        'folder of a run, or its journal.ndjson; of load also the folders and files of its runners and its manifests',
      ),
    help: help.JUDGE,
    action: async ({ terminal }, paths: readonly string[], options: CommandOptions<'judge'>) =>
      (await import('./judge.ts')).judgeAgain(paths, options, terminal),
  },
  {
    name: 'compare',
    description: 'compare two reports, or two sets of load runs: what became better, worse or new',
    declare: (command) =>
      command
        .argument(
          '<first>',
          'report.json of the first run, or its folder; of load also the folder of a repeated profile, or several of these separated by commas',
        )
        .argument('<second>', 'the same of the second run, or set of load runs')
        .addOption(choiceOf('--format <format>', 'how it is printed', REPORT_FORMATS))
        .option('--tolerance <percent>', 'how much worse a figure of a load run may be, in percent', '10'),
    help: help.COMPARE,
    action: async ({ terminal }, first: string, second: string, options: CompareOptions) =>
      (await import('./reports/compare-runs.ts')).compareRuns(first, second, options, terminal),
  },
  {
    name: 'matrix',
    description: 'put several reports into one table: implementations, or versions of one',
    declare: (command) =>
      command
        .argument(
          '<report...>',
          'report.json or the folder of a run; NAME=PATH names its column, which is else the address of the target',
        )
        .addOption(choiceOf('--format <format>', 'format of the table', ['markdown', 'html', 'json']))
        .option('--out <file>', 'file for the table, which must not exist (default: standard output)')
        .option(
          '--keys <dir>',
          'verify the certificate of each folder with the public keys of this folder (*.pem), judge its journal again, and list it (--format html)',
        ),
    help: help.MATRIX,
    action: async ({ terminal }, paths: readonly string[], options: MatrixOptions) => {
      await (await import('./reports/write-matrix.ts')).writeMatrix(paths, options, terminal);
      return undefined;
    },
  },
  {
    name: 'load',
    description: 'run a load profile with k6 against a target, or against the bundled reference server',
    taker: 'load',
    declare: (command) =>
      command
        .argument('[profile]', 'one of the profiles below; smoke sends the fewest requests')
        .enablePositionalOptions(),
    help: async () => (await import('./load/help.ts')).LOAD,
    commands: [
      {
        name: 'manifest',
        description:
          'write a profile as manifests for the k6 operator: one test run with any number of runners',
        taker: 'load manifest',
        declare: (command) => command.argument('<profile>', 'the profile'),
        help: help.MANIFEST,
        action: async ({ terminal }, profile: string, options: CommandOptions<'load manifest'>) => {
          await (await import('./load/manifests.ts')).writeManifests(profile, options, terminal);
          return undefined;
        },
      },
    ],
    action: async ({ terminal }, profile: string | undefined, options: CommandOptions<'load'>) => {
      if (options.install === true) return (await import('./load/keys.ts')).installK6(options, terminal);
      if (profile === undefined) throw new UserError((await import('./load/help.ts')).NO_PROFILE);
      return interruptible(async (signal) => {
        const { makeRun } = await import('./run.ts');
        const { loading } = await import('./load/load.ts');
        const { settleLoad } = await import('./load/settings.ts');
        return makeRun(loading, await settleLoad(profile, options, process.env), terminal, signal);
      });
    },
  },
  {
    name: 'init',
    description: 'write a configuration file for your service, and a pipeline for your build server',
    declare: (command) =>
      command
        .option(
          '--target <url>',
          'base address of the service, including /v1; without it, a pipeline is added to the configuration that exists',
        )
        .option('--plan <name>', 'plan of the key', 'free')
        .option('--api-key-env <var>', 'environment variable that holds the key (default: PETSTORE_API_KEY)')
        .addOption(choiceOf('--ci <server>', 'build server whose pipeline is written', SERVERS)),
    help: help.INIT,
    action: async ({ terminal }, options: InitOptions) => {
      const { init } = await import('./init.ts');
      terminal.out.write(`${init(options).join('\n')}\n`);
      return undefined;
    },
  },
  {
    name: 'completion',
    description: 'print a script with which a shell completes commands and options',
    declare: (command) =>
      command
        .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
        .argument(
          '[words...]',
          'what was typed after the name of the program, after --: what may stand in place of the last word is printed, as the script needs it',
        ),
    help: help.COMPLETION,
    action: async (
      { terminal },
      shell: Shell,
      words: readonly string[],
      _options: unknown,
      command: Command,
    ) => {
      const { candidateLines, SCRIPTS } = await import('./completion.ts');
      const lines = candidateLines(shell, command.parent ?? command, words);
      terminal.out.write(words.length === 0 ? SCRIPTS[shell] : lines.map((line) => `${line}\n`).join(''));
      return undefined;
    },
  },
];

function wholeDays(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number of days from 1 to 9999.');
}
