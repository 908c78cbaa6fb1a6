import { Command } from 'commander';
import { withOptions } from '../../options/command-line.ts';
import type { WatchOptions } from '../clients/watch.ts';
import type { EndWith } from '../exit-code.ts';
import { interruptible } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

/** `watch`: a proxy that records the traffic between a client and its service. */
export function watchCommand(terminal: Terminal, endWith: EndWith): Command {
  return withOptions(new Command('watch'), 'watch')
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
