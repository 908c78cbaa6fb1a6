import { Command } from 'commander';
import { UserError } from '../../../kernel/basics/errors.ts';
import type { RunningServer } from '../../../reference-server/http/server.ts';
import type { BanPolicy } from '../../../reference-server/limiters/ban.ts';
import { withOptions } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import { aborted, interruptible } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

type ServeOptions = CommandOptions<'serve'>;

/** `serve`: runs the reference server until SIGINT or SIGTERM. */
export function serveCommand(terminal: Terminal): Command {
  return withOptions(new Command('serve'), 'serve')
    .addHelpText('after', EXAMPLES)
    .action(async (options: ServeOptions) => {
      if (options.list === undefined) return serve(options, terminal);
      const { listFaults, listVariants } = await import('../listings.ts');
      const list = options.list === 'faults' ? listFaults : listVariants;
      return list(terminal, options.json === true);
    });
}

async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  await interruptible(async (signal) => {
    const listen = { port: options.port ?? 0, host: options.host };
    // Loaded only here, so that the help appears quickly.
    const { startServer } = await import('../../../reference-server/http/server.ts');
    const { loadPlans } = await import('../../../spec/plans.ts');
    const { readBehaviour } = await import('../behaviour.ts');
    const plans = loadPlans(options.plans);
    const server = await startServer({
      ...listen,
      plans,
      ...readBehaviour(options).server,
      ...(options.ban === undefined ? {} : { ban: readBan(options.ban) }),
    });
    print(terminal, ...(options.json === true ? [jsonLine(server)] : greeting(server)));
    await aborted(signal);
    await server.close();
  });
}

/** The names of two groups of keys in the output differ from those in code: programs read them. */
function jsonLine({ baseUrl, keys: { exhausted, disposable, ...plans } }: RunningServer): string {
  return JSON.stringify({ baseUrl, keys: { ...plans, spent: exhausted, sacrificial: disposable } });
}

function greeting({ baseUrl, keys }: RunningServer): readonly string[] {
  const demo = Object.entries(keys).flatMap(([group, list]) => list.map((key) => [`${group} key`, key]));
  return [...columns([['base address', baseUrl], ...demo]), 'Stop the server with Ctrl-C.'];
}

function readBan(text: string): BanPolicy {
  const [, after, seconds] = /^([1-9]\d{0,5}):(\d{1,6}(?:\.\d{1,3})?)$/.exec(text) ?? [];
  if (after !== undefined && seconds !== undefined && Number(seconds) > 0) {
    return { after: Number(after), seconds: Number(seconds) };
  }
  throw new UserError(
    `--ban takes N:SECONDS, not "${text}"; for example, 5:30 bans a key for 30 s when it sends five further requests after a 429 response.`,
  );
}

const EXAMPLES = `
Examples:
  petstore-conformance serve --port 8080
  petstore-conformance serve --list faults
  petstore-conformance serve --algorithm token-bucket --ban 10:30
  petstore-conformance serve --json --fault retry-after-absent`;
