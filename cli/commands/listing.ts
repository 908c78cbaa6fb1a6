import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

/** A catalogue as one command lists it. */
export interface Listing<Entry> {
  readonly name: string;
  readonly description: string;
  readonly entries: () => readonly Entry[];
  readonly head: readonly string[];
  readonly row: (entry: Entry) => readonly string[];
  readonly examples: string;
}

/** A command that prints a catalogue: a table for people, with `--json` everything for programs. */
export function listingCommand<Entry>(listing: Listing<Entry>, terminal: Terminal): Command {
  const { name, description, entries, head, row, examples } = listing;
  return new Command(name)
    .description(description)
    .option('--json', 'as JSON')
    .addHelpText('after', examples)
    .action(({ json }: { readonly json?: boolean }) => {
      if (json === true) return print(terminal, JSON.stringify(entries(), null, 2));
      print(terminal, ...columns([head, ...entries().map(row)]));
    });
}
