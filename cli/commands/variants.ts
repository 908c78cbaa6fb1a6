import type { Command } from 'commander';
import { describeVariants } from '../../reference-server/index.ts';
import type { Terminal } from '../terminal.ts';
import { listingCommand } from './listing.ts';

/** `variants`: lists the ways to conform that the reference server can be told to show. */
export function variantsCommand(terminal: Terminal): Command {
  return listingCommand(
    {
      name: 'variants',
      description: 'list the conforming variants that the reference server can be told to be',
      entries: describeVariants,
      head: ['VARIANT', 'DESERVES', 'WHAT THE SERVER DOES'],
      row: ({ id, says, verdict, warned, open }) => [
        id,
        [verdict, ...warned.map((one) => `${one} (warning)`), ...open.map((one) => `${one} (open)`)].join(
          ' ',
        ),
        says,
      ],
      examples: EXAMPLES,
    },
    terminal,
  );
}

const EXAMPLES = `
Examples:
  petstore-conformance variants
  petstore-conformance certify --variant VARIANT
  petstore-conformance serve --variant VARIANT`;
