import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

/** Entries that a command lists. */
export interface Listing<Entry> {
  readonly name: string;
  /** Reads the entries, which are loaded only when they are listed. */
  readonly entries: () => Promise<readonly Entry[]>;
  readonly columnTitles: readonly string[];
  readonly row: (entry: Entry) => readonly string[];
  /** A line below the table. */
  readonly note?: string;
  readonly examples: string;
}

/** A command that prints entries: a table for people, or with `--json` all data for programs. */
export function listingCommand<Entry>(listing: Listing<Entry>, terminal: Terminal): Command {
  const { name, entries, columnTitles, row, note, examples } = listing;
  return new Command(name)
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async ({ json }: { readonly json?: boolean }) => {
      const listed = await entries();
      if (json === true) return print(terminal, JSON.stringify(listed, null, 2));
      print(terminal, ...columns([columnTitles, ...listed.map(row)]));
      if (note !== undefined) print(terminal, '', note);
    });
}
