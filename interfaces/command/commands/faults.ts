import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { listingCommand } from './listing.ts';

/** `faults`: lists the faults that can be injected into the reference server. */
export function faultsCommand(terminal: Terminal): Command {
  return listingCommand(
    {
      name: 'faults',
      entries: async () =>
        (await import('../../../reference-server/catalogue/faults/index.ts')).describeFaults(),
      columnTitles: ['FAULT', 'BREAKS', 'WHAT THE SERVER DOES'],
      row: ({ id, description, breaks, warnings, undecidable }) => [
        id,
        [...breaks, ...warnings.map((one) => `${one} (warning)`)].join(' ') ||
          (undecidable === undefined ? '' : '(undecidable from outside)'),
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
