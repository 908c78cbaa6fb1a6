import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { listingCommand } from './listing.ts';

/** `requirements`: lists the register. */
export function requirementsCommand(terminal: Terminal): Command {
  return listingCommand(
    {
      name: 'requirements',
      entries: async () => {
        const { loadRegister, register } = await import('../../../spec/register.ts');
        return [...register, ...loadRegister].map(({ from, ...entry }) => ({
          ...entry,
          ...(from === undefined
            ? { from: 'load/PROFILES.md' }
            : { from: `interface-specification.md#${from.section}`, quote: from.quote }),
        }));
      },
      columnTitles: ['ID', 'LEVEL', 'SECTION', 'SENTENCE'],
      row: ({ id, level, from, sentence }) => [
        id,
        level,
        from.replace('interface-specification.md', ''),
        sentence,
      ],
      note: 'CLIENT: binds clients, so certify-client judges it, and certify does not. OBSERVE: left open by the specification, so it is recorded and not judged. NO-429 and other ids without a prefix of their own: what load runs are judged by.',
      examples: EXAMPLES,
    },
    terminal,
  );
}

const EXAMPLES = `
Examples:
  petstore-conformance requirements
  petstore-conformance requirements --json`;
