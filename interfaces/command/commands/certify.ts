import { Command } from 'commander';
import { withFirstHelp, withOptions } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import { configurable } from '../configurable.ts';
import type { EndWith } from '../exit-code.ts';
import { interruptible } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

/** `certify`: tests a target, or the bundled reference server where no target is given. */
export function certifyCommand(terminal: Terminal, endWith: EndWith): Command {
  const command = withOptions(new Command('certify'), 'certify').action(
    async (options: CommandOptions<'certify'>) => {
      const code = await interruptible(async (signal) => {
        // Loaded only here, so that the help appears quickly.
        const { makeRun } = await import('../run.ts');
        const { certification } = await import('../certify/certify.ts');
        return makeRun(certification, options, terminal, signal);
      });
      endWith(code);
    },
  );
  withFirstHelp(command, 'certify', { examples: EXAMPLES, note: NOTE, details: DETAILS });
  return configurable(command, 'certify', terminal);
}

const EXAMPLES = `  petstore-conformance certify
      tests the bundled server
  petstore-conformance certify --target https://api.example.com/v1
      tests your service; with --dry-run, prints what it would send
  petstore-conformance certify --fault retry-after-absent
      shows what a violation looks like`;

const NOTE = `The key is read from PETSTORE_API_KEY, or from where --api-key-env or --api-key-file says,
never from the command line. "certify --help-all" has every option, for gateways, further
keys and parts of the requirements.`;

const DETAILS = `Keys are read from environment variables or a file, never from the command line.

More examples:
  petstore-conformance certify --plans plans.json
      tests the bundled server with the windows and quotas of this file
  PETSTORE_API_KEY=… PETSTORE_OTHER_KEY=… petstore-conformance certify --target https://api.example.com/v1 \\
      --plan pro --plan-key free=FREE_KEY --openapi https://api.example.com/openapi.json --out report
  PETSTORE_API_KEY=… petstore-conformance certify --target https://api.example.com/v1 --only CREATE,AUTH-1
      sends what these requirements need, and does not exhaust the quota`;
