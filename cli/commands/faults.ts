import type { Command } from 'commander';
import { describeFaults } from '../../catalogue/index.ts';
import type { Terminal } from '../terminal.ts';
import { listingCommand } from './listing.ts';

/** `faults`: lists the faults that the reference server can inject. */
export function faultsCommand(terminal: Terminal): Command {
  return listingCommand(
    {
      name: 'faults',
      description: 'list the faults that the reference server can inject',
      entries: describeFaults,
      head: ['FAULT', 'BREAKS', 'WHAT THE SERVER DOES'],
      row: ({ id, description, breaks, warnings, undecidable }) => [
        id,
        [...breaks, ...warnings.map((one) => `${one} (warning)`)].join(' ') ||
          (undecidable === undefined ? '' : '(undecidable)'),
        description,
      ],
      examples: EXAMPLES,
    },
    terminal,
  );
}

const EXAMPLES = `
Examples:
  petstore-conformance faults
  petstore-conformance certify --fault FAULT
  petstore-conformance serve --fault FAULT`;
