import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { listingCommand } from './listing.ts';

/** `variants`: lists the conforming variants of the reference server. */
export function variantsCommand(terminal: Terminal): Command {
  return listingCommand(
    {
      name: 'variants',
      entries: async () =>
        (await import('../../../reference-server/catalogue/variants/index.ts')).describeVariants(),
      columnTitles: ['VARIANT', 'EXPECTED OUTCOME', 'WHAT THE SERVER DOES'],
      row: ({ id, description, outcome, warnings, inconclusive }) => [
        id,
        expectedOutcome(outcome, [...warnings, ...inconclusive]),
        description,
      ],
      examples: EXAMPLES,
    },
    terminal,
  );
}

/** The expected outcome, and its requirements as long as they fit into a column; `--json` has them all. */
function expectedOutcome(outcome: string, ids: readonly string[]): string {
  if (ids.length === 0) return outcome;
  return `${outcome}: ${ids.length > 2 ? `${ids.length} requirements` : ids.join(' and ')}`;
}

const EXAMPLES = `
Examples:
  petstore-conformance variants
  petstore-conformance certify --variant VARIANT
  petstore-conformance serve --variant VARIANT`;
