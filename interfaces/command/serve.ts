import { UserError } from '../../kernel/basics/errors.ts';
import type { RunningServer } from '../../reference-server/http/server.ts';
import { startServer } from '../../reference-server/http/server.ts';
import type { BanPolicy } from '../../reference-server/limiters/ban.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { CommandOptions } from '../options/table.ts';
import { readBehaviour } from './behaviour.ts';
import { aborted, EXIT, interruptible } from './exit-code.ts';
import type { Terminal } from './terminal.ts';
import { columns, print } from './terminal.ts';

export const serve = (options: CommandOptions<'serve'>, terminal: Terminal): Promise<typeof EXIT.conforms> =>
  interruptible(async (signal) => {
    const server = await startServer({
      port: options.port ?? 0,
      host: options.host,
      plans: loadPlans(options.plans),
      ...readBehaviour(options).server,
      ...(options.ban === undefined ? {} : { ban: readBan(options.ban) }),
    });
    print(terminal, ...(options.json === true ? [jsonLine(server)] : greeting(server)));
    await aborted(signal);
    await server.close();
    return EXIT.conforms;
  });

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
