import { Command } from 'commander';
import { UserError } from '../../../kernel/basics/errors.ts';
import { PROFILE_IDS, profiles } from '../../../load/profiles/index.ts';
import { withFirstHelp, withOptions } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import { configurable } from '../configurable.ts';
import type { EndWith } from '../exit-code.ts';
import { interruptible } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { columns } from '../terminal.ts';
import { manifestCommand } from './load-manifest.ts';

type LoadOptions = CommandOptions<'load'>;

/** `load`: previews and runs a load profile. */
export function loadCommand(terminal: Terminal, endWith: EndWith): Command {
  const command = withOptions(new Command('load'), 'load')
    .argument('[profile]', 'one of the profiles below; smoke sends the fewest requests')
    .enablePositionalOptions()
    .addCommand(manifestCommand(terminal))
    .action(async (profile: string | undefined, options: LoadOptions) => {
      if (options.install === true) {
        const { installK6 } = await import('../load/keys.ts');
        return endWith(await installK6(options, terminal));
      }
      if (profile === undefined) throw new UserError(NO_PROFILE);
      const code = await interruptible(async (signal) => {
        // Loaded only here, so that the help appears quickly.
        const { makeRun } = await import('../run.ts');
        const { loading } = await import('../load/load.ts');
        return makeRun(loading, { profile, options }, terminal, signal);
      });
      endWith(code);
    });
  withFirstHelp(command, 'load', { examples: EXAMPLES, note: NOTE, details: details() });
  return configurable(command, 'load', terminal);
}

const NO_PROFILE = `load needs a profile: ${PROFILE_IDS.join(', ')}. "load --help-all" describes them; "load smoke" sends the fewest requests.`;

const EXAMPLES = `  petstore-conformance load smoke
      loads the bundled server with few requests
  petstore-conformance load at-limit --target https://s.example.com/v1 --dry-run
      prints what would be sent to your service, and what blocks the run
  petstore-conformance load at-limit --target https://s.example.com/v1 \\
      --allow-host s.example.com
      loads it`;

const NOTE = `Profiles: ${PROFILE_IDS.slice(0, 8).join(', ')},
  ${PROFILE_IDS.slice(8).join(', ')}

The key is read from PETSTORE_API_KEY, never from the command line. "load --help-all" has
every option, describes each profile and says what protects a shared target.`;

const details = (): string => `Profiles:
${columns(profiles.map(({ id, description }) => [`  ${id}`, description])).join('\n')}

Keys are read from environment variables or a file, never from the command line.
Loopback addresses need no confirmation. For any other host, confirm that you are
authorized to load it: with --allow-host, or with {"allowedHosts": ["staging.example.com"]}
in load.json in your configuration folder. Your state folder records what each key has
used of its day; a run that would exceed nine tenths of the day's quota does not start.

More examples:
  petstore-conformance load under --repeat 6 --out before
      make a set of runs for "compare"
  PETSTORE_API_KEY=… petstore-conformance load under --target https://stable.example.com/v1 \\
      --against https://canary.example.com/v1 --allow-host stable.example.com \\
      --allow-host canary.example.com --repeat 8
      run both in turn, and end with 1 where the second is worse`;
