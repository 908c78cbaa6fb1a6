import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

/** A catalogue that a command lists. */
export interface CatalogueListing<Entry> {
  readonly name: string;
  /** Reads the catalogue, which is loaded only when it is listed. */
  readonly entries: () => Promise<readonly Entry[]>;
  readonly columnTitles: readonly string[];
  readonly row: (entry: Entry) => readonly string[];
  readonly examples: string;
}

/** A command that prints a catalogue: a table for people, or with `--json` all data for programs. */
export function listingCommand<Entry>(listing: CatalogueListing<Entry>, terminal: Terminal): Command {
  const { name, entries, columnTitles, row, examples } = listing;
  return new Command(name)
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async ({ json }: { readonly json?: boolean }) => {
      const listed = await entries();
      if (json === true) print(terminal, JSON.stringify(listed, null, 2));
      else print(terminal, ...columns([columnTitles, ...listed.map(row)]));
    });
}
