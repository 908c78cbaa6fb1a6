import { Command } from 'commander';
import type { WatchOptions } from '../clients/watch.ts';
import type { EndWith } from '../exit-code.ts';
import { interruptible } from '../interruption.ts';
import type { Terminal } from '../terminal.ts';
import { caOption } from './options.ts';

/** `watch`: a proxy that records the traffic between a client and its service. */
export function watchCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('watch')
    .requiredOption('--target <url>', 'base address of the service, including /v1')
    .option('--listen <host[:port]>', 'address to listen at (default: 127.0.0.1, any free port)')
    .option('--remote', 'the application runs on another host, whose clock and network get an allowance')
    .option('--strict', 'count every warning as a violation')
    .option('--out <dir>', 'folder for the journal and the reports (default: out/TIME-watch)')
    .addOption(caOption)
    .addHelpText('after', HELP)
    .action(async (options: WatchOptions) => {
      const { watch } = await import('../clients/watch.ts');
      endWith(await interruptible((signal) => watch(options, terminal, signal)));
    });
}

const HELP = `
Point your application at the address that is printed, and let it work (its test suite, for example). Every byte is
passed on unchanged, the Host header included. Keys are learnt from Authorization headers and replaced by their names;
one in PETSTORE_API_KEY is known from the first byte. It is made for loopback and test environments.

Examples:
  petstore-conformance watch --target http://127.0.0.1:8080/v1 --listen 127.0.0.1:9090
  petstore-conformance watch --target https://staging.example.com/v1`;
