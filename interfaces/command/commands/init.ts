import { Command, Option } from 'commander';
import { UserError } from '../../../kernel/basics/errors.ts';
import type { BuildServer } from '../init.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';

interface InitOptions {
  readonly target?: string;
  readonly plan: string;
  readonly apiKeyEnv?: string;
  readonly ci: BuildServer | 'none';
}

/** `init`: a configuration file, and a pipeline beside it. */
export function initCommand(terminal: Terminal): Command {
  return new Command('init')
    .option(
      '--target <url>',
      'base address of the service, including /v1; without it, a pipeline is added to the configuration that exists',
    )
    .option('--plan <name>', 'plan of the key', 'free')
    .option('--api-key-env <var>', 'environment variable that holds the key (default: PETSTORE_API_KEY)')
    .addOption(
      new Option('--ci <server>', 'build server whose pipeline is written')
        .choices(['github', 'gitlab', 'jenkins', 'none'] satisfies readonly InitOptions['ci'][])
        .default('github'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async ({ target, plan, apiKeyEnv, ci }: InitOptions) => {
      const { init } = await import('../init.ts');
      const { readBaseUrl } = await import('../../../suites/service/inputs/base-url.ts');
      if (target !== undefined) readBaseUrl(target, '--target');
      const server = ci === 'none' ? undefined : ci;
      const keyVariable = apiKeyEnv === undefined ? undefined : variableName(apiKeyEnv);
      print(terminal, ...init({ url: target, plan, keyVariable, server }));
    });
}

function variableName(text: string): string {
  if (/^PETSTORE_[A-Z0-9_]+$/.test(text)) return text;
  throw new UserError(
    '--api-key-env takes the NAME of an environment variable that begins with PETSTORE_, such as PETSTORE_STAGING_KEY (the given text is not repeated here, in case it is a key).',
  );
}

const EXAMPLES = `
A file that exists is never replaced.

Examples:
  petstore-conformance init --target https://staging.example.com/v1
      writes petstore-conformance.json and .github/workflows/petstore.yml
  petstore-conformance init --target https://staging.example.com/v1 --ci gitlab --plan pro
  petstore-conformance init --ci gitlab
      adds a pipeline to the configuration that exists`;
