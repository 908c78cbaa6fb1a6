import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

/** A catalogue that a command lists. */
export interface CatalogueListing<Entry> {
  readonly name: string;
  readonly description: string;
  readonly entries: () => readonly Entry[];
  readonly columnTitles: readonly string[];
  readonly row: (entry: Entry) => readonly string[];
  readonly examples: string;
}

/** A command that prints a catalogue: a table for people, or with `--json` all data for programs. */
export function listingCommand<Entry>(listing: CatalogueListing<Entry>, terminal: Terminal): Command {
  const { name, description, entries, columnTitles, row, examples } = listing;
  return new Command(name)
    .description(description)
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(({ json }: { readonly json?: boolean }) => {
      if (json === true) return print(terminal, JSON.stringify(entries(), null, 2));
      print(terminal, ...columns([columnTitles, ...entries().map(row)]));
    });
}
