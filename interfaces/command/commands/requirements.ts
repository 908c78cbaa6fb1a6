import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { listingCommand } from './listing.ts';

/** `requirements`: lists the register. */
export function requirementsCommand(terminal: Terminal): Command {
  return listingCommand(
    {
      name: 'requirements',
      entries: async () => {
        const { register } = await import('../../../spec/register.ts');
        return register.map(({ from, ...entry }) => ({
          ...entry,
          from: `interface-specification.md#${from.section}`,
          quote: from.quote,
        }));
      },
      columnTitles: ['ID', 'LEVEL', 'SECTION', 'SENTENCE'],
      row: ({ id, level, from, sentence }) => [
        id,
        level,
        from.replace('interface-specification.md', ''),
        sentence,
      ],
      note: 'CLIENT: binds clients, so certify-client judges it, and certify does not. OBSERVE: left open by the specification, so it is recorded and not judged.',
      examples: EXAMPLES,
    },
    terminal,
  );
}

const EXAMPLES = `
Examples:
  petstore-conformance requirements
  petstore-conformance requirements --json`;
