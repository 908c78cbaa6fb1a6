import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

/** `requirements`: lists the register. */
export function requirementsCommand(terminal: Terminal): Command {
  return new Command('requirements')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { register } = await import('../../spec/register.ts');
      const entries = register.map(({ from, ...entry }) => ({
        ...entry,
        from: `interface-specification.md#${from.section}`,
        quote: from.quote,
      }));
      if (json === true) {
        print(terminal, JSON.stringify(entries, null, 2));
        return;
      }
      const rows = entries.map(({ id, level, from, sentence }) => [
        id,
        level,
        from.replace('interface-specification.md', ''),
        sentence,
      ]);
      print(terminal, ...columns([['ID', 'LEVEL', 'SECTION', 'SENTENCE'], ...rows]));
      print(
        terminal,
        '',
        'CLIENT: binds clients, so certify-client judges it, and certify does not. OBSERVE: left open by the specification, so it is recorded and not judged.',
      );
    });
}

const EXAMPLES = `
Examples:
  petstore-conformance requirements
  petstore-conformance requirements --json`;
