import { Command } from 'commander';
import { describeFaults } from '../../reference-server/index.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

/** `faults`: lists what the reference server can be told to do wrong. */
export function faultsCommand(terminal: Terminal): Command {
  return new Command('faults')
    .description('list the faults that the reference server can be told to have')
    .option('--json', 'as JSON')
    .addHelpText('after', EXAMPLES)
    .action(({ json }: { readonly json?: boolean }) => {
      const faults = describeFaults();
      if (json === true) return print(terminal, JSON.stringify(faults, null, 2));
      const rows = faults.map(({ id, says, breaks, warns }) => [
        id,
        [...breaks, ...warns.map((one) => `${one} (warning)`)].join(' '),
        says,
      ]);
      print(terminal, ...columns([['FAULT', 'BREAKS', 'WHAT THE SERVER DOES'], ...rows]));
    });
}

const EXAMPLES = `
Examples:
  petstore-conformance faults
  petstore-conformance certify --fault FAULT
  petstore-conformance serve --fault FAULT`;
