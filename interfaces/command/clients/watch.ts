import { UserError } from '../../../kernel/basics/errors.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import { prepareRunFolder } from '../../../reports/run-folder.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { recordWatched } from '../../../suites/client/run/record-running-client.ts';
import { readBaseUrl } from '../../../suites/service/inputs/base-url.ts';
import { readCertificateAuthority } from '../../../suites/service/inputs/tls-advice.ts';
import { FLAGS } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import { readJudging } from '../../run/judging.ts';
import { liveLine } from '../../run/progress.ts';
import type { ExitCode } from '../exit-code.ts';
import { runFolder } from '../folder.ts';
import { report } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { judgeRecordedClient } from './judge-client.ts';
import { hostOf, listenAddress } from './settings.ts';

export type WatchOptions = CommandOptions<'watch'>;

/**
 * Watches until the signal aborts, judges what was recorded, and prints the verdicts on the service and on the client.
 * @throws {UserError | JournalError | ReportError} when an option is wrong, nothing was recorded, or a file cannot be written.
 */
export async function watch(
  options: WatchOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const target = readBaseUrl(options.target, FLAGS.target);
  const certificateAuthority = options.ca === undefined ? undefined : readCertificateAuthority(options.ca);
  const remote = options.remote === true;
  const address = listenAddress(options.listen, remote);
  const folder = runFolder(options.out, 'watch', new Date());
  const key = process.env['PETSTORE_API_KEY'] ?? '';
  const specification = await loadSpecification();
  const journal = prepareRunFolder({
    path: folder,
    report: (moved) => void terminal.err.write(`${moved}\n`),
  });
  let seen = 0;
  const text = (): string => `${countOf(seen, 'request')} recorded; Ctrl-C ends and judges`;
  const line = terminal.live ? liveLine(terminal, text) : undefined;
  const { requests, unread, unreachable } = await recordWatched(
    {
      target,
      certificateAuthority,
      where: hostOf(remote),
      spec: specification,
      keys: key === '' ? [] : [key],
      host: address.host,
      port: address.port,
      onListening: (port) => print(terminal, ...instructions(address.targetAt(port), target)),
      onUnrecorded: (reason) =>
        print(
          terminal,
          `${reason instanceof Error ? reason.message : String(reason)} Nothing is recorded from now on; the proxy still passes everything on, until Ctrl-C.`,
        ),
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
  const judging = readJudging(options);
  const judged = await judgeRecordedClient({ journal, folder, ...judging });
  return report(judged, { ...judging, folder, format: 'console' }, terminal, process.env);
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
