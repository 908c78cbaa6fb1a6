import { Command } from 'commander';
import { PROFILE_IDS } from '../../load/model/profile.ts';
import { profiles } from '../../load/profiles/index.ts';
import { UserError } from '../../words/user-error.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { look } from '../load/guarding.ts';
import { loadPreviewJson, loadPreviewLines } from '../load/preview.ts';
import type { LoadOptions } from '../load/settings.ts';
import { settleLoad } from '../load/settings.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';
import { compareCommand } from './load-compare.ts';
import { manifestCommand } from './load-manifest.ts';
import {
  algorithmOption,
  caOption,
  dryRunOption,
  faultOption,
  headerEnvOption,
  headerOption,
  keyEnvOption,
  keyFileOption,
  planOption,
  plansOption,
  repeatable,
  targetOption,
  variantOption,
} from './options.ts';

/** `load`: previews and runs a load profile. */
export function loadCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('load')
    .description('run a load profile with k6 against a target, or against the bundled reference server')
    .argument('[profile]', 'what to do, see below; smoke is the gentlest')
    .addOption(targetOption)
    .addOption(planOption)
    .addOption(plansOption)
    .addOption(keyEnvOption)
    .addOption(keyFileOption)
    .option(
      '--other-key-env <var>',
      'variable with the key of another caller of the plan (default: PETSTORE_OTHER_KEY, where set)',
    )
    .option('--disposable-key-env <var>', 'variable with a key of the plan that may get banned')
    .option(
      '--fleet-keys-env <var>',
      'variable with further keys of the plan, apart by spaces or commas (default: PETSTORE_API_KEYS, where set)',
    )
    .option('--fleet-keys-file <file>', 'the same in a file')
    .option('--minutes <n>', 'how long a soak lasts, in windows of a minute')
    .option('--latency-ms <n>', 'a bar of your own: 99 of 100 answers take no longer')
    .option('--i-may-load <host>', 'the host of the target, once more: it may be loaded', repeatable)
    .option('--spend-day', "a key's quota of a whole day may be used up")
    .option('--out <dir>', 'folder for the samples and the reports (default: out/TIME-load-TAG)')
    .option(
      '--k6-out <output>',
      'a further output of k6, such as experimental-prometheus-rw; repeatable',
      repeatable,
    )
    .addOption(caOption)
    .addOption(headerOption)
    .addOption(headerEnvOption)
    .addOption(algorithmOption)
    .addOption(faultOption)
    .addOption(variantOption)
    .addOption(dryRunOption)
    .option('--json', 'say it as JSON; with --dry-run')
    .addHelpText('after', () => `${profileList()}${EXAMPLES}`)
    .enablePositionalOptions()
    .addCommand(manifestCommand(terminal))
    .addCommand(compareCommand(terminal, endWith))
    .action(async (profile: string | undefined, options: LoadOptions) => {
      if (profile === undefined) throw new UserError(NO_PROFILE);
      endWith(await load(profile, options, terminal));
    });
}

async function load(name: string, options: LoadOptions, terminal: Terminal): Promise<ExitCode> {
  if (options.json === true && options.dryRun !== true) {
    throw new UserError('--json goes with --dry-run: a run writes its figures into its folder.');
  }
  const settings = await settleLoad(name, options, process.env);
  const now = Date.now();
  const guarding = look(settings, now);
  const lines =
    options.json === true ? [loadPreviewJson(settings, guarding)] : loadPreviewLines(settings, guarding, now);
  print(terminal, ...lines);
  if (options.dryRun === true) return EXIT.conforms;
  // Nobody who made a mistake or wants the preview waits for what a run needs.
  const { runProfile } = await import('../load/run-profile.ts');
  return runProfile(settings, terminal);
}

const NO_PROFILE = `load needs a profile: ${PROFILE_IDS.join(', ')}. "load --help" says what each does; "load smoke" is the gentlest.`;

const profileList = (): string => `
Profiles:
${columns(profiles.map(({ id, says }) => [`  ${id}`, says])).join('\n')}
`;

const EXAMPLES = `
Keys are read from environment variables or a file, never from the command line.
Loopback may be loaded freely. Any other host must be named with --i-may-load, or
stand in load.json in your configuration folder: {"mayLoad": ["staging.example.com"]}.
What each key has used of its day is remembered in your state folder; a run that
would pass nine tenths of it does not begin.

Examples:
  petstore-conformance load at-limit --dry-run
      what would be sent to the bundled server
  PETSTORE_API_KEY=… petstore-conformance load over-limit --target https://staging.example.com/v1 --dry-run
      what would be sent to yours, and what stands in the way
  PETSTORE_API_KEY=… petstore-conformance load at-limit --target https://staging.example.com/v1 \\
      --i-may-load staging.example.com`;
