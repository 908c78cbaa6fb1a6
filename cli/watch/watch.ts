import { recordWatched } from '../../clients/run/record-watched.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { countOf } from '../../words/text.ts';
import { UserError } from '../../words/user-error.ts';
import { prepareFolder } from '../certify/prepare-folder.ts';
import { concludeClient } from '../clients/conclude-client.ts';
import type { ExitCode } from '../exit-code.ts';
import { liveLine } from '../live-line.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import type { WatchOptions } from './settings.ts';
import { settleWatch } from './settings.ts';

/**
 * Watches until the signal aborts, judges what was recorded, and prints the verdicts on the service and on the client.
 * @throws {UserError | JournalError | ReportError} when an option is wrong, nothing was recorded, or a file cannot be written.
 */
export async function watch(
  options: WatchOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { target, certificateAuthority, where, address, folder, strict, keys } = settleWatch(
    options,
    process.env,
    new Date(),
  );
  const specification = await loadSpecification();
  const journal = prepareFolder(folder, new Date(), terminal);
  let seen = 0;
  const line =
    terminal.err.isTTY === true
      ? liveLine(terminal, () => `${seen} requests recorded; Ctrl-C ends and judges`)
      : undefined;
  const { requests, unread, unreachable } = await recordWatched(
    {
      target,
      certificateAuthority,
      where,
      spec: specification,
      keys,
      host: address.host,
      port: address.port,
      onListening: (port) => print(terminal, ...instructions(address.targetAt(port), target)),
    },
    {
      path: journal,
      observe: ({ kind }) => {
        if (kind === 'arrival') seen += 1;
      },
      signal,
    },
  );
  line?.stop();
  print(terminal, ...troubleLines(unread, unreachable, target));
  if (requests === 0) {
    throw new UserError(
      'Nothing came through the proxy, so there is nothing to judge: point your application at the printed address.',
    );
  }
  return concludeClient({ journal, folder, specification, strict, format: 'console' }, terminal, process.env);
}

const instructions = (proxy: string, target: URL): readonly string[] => {
  const path = target.pathname.replace(/\/+$/, '');
  return [
    `The proxy listens at ${proxy.replace(/\/v1$/, path)} and passes everything on to ${target.href}`,
    'Point your application at it and let it work; Ctrl-C here ends the run and writes the reports.',
    '',
  ];
};

/** What did not become a request, so that an empty report explains itself. */
function troubleLines(unread: number, unreachable: number, target: URL): readonly string[] {
  return [
    ...(unreachable === 0
      ? []
      : [`${target.host} did not accept ${countOf(unreachable, 'connection')}: check --target.`]),
    ...(unread === 0
      ? []
      : [`${countOf(unread, 'connection')} carried something else than HTTP/1.1, passed on unread.`]),
  ];
}
