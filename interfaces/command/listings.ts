import type { Terminal } from './terminal.ts';
import { columns, print } from './terminal.ts';

interface Listing<Entry> {
  /** Reads the entries, which are loaded only when they are listed. */
  readonly entries: () => Promise<readonly Entry[]>;
  readonly columnTitles: readonly string[];
  readonly row: (entry: Entry) => readonly string[];
  /** A line below the table. */
  readonly note?: string;
}

/** What prints these entries: a table for people, or all data as JSON for programs. */
const listing =
  <Entry>({ entries, columnTitles, row, note }: Listing<Entry>) =>
  async (terminal: Terminal, json: boolean): Promise<void> => {
    const listed = await entries();
    if (json) return print(terminal, JSON.stringify(listed, null, 2));
    print(terminal, ...columns([columnTitles, ...listed.map(row)]));
    if (note !== undefined) print(terminal, '', note);
  };

export const listRequirements = listing({
  entries: async () => {
    const { loadRegister, register } = await import('../../spec/register.ts');
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
});

export const listFaults = listing({
  entries: async () => (await import('../../reference-server/catalogue/faults/index.ts')).describeFaults(),
  columnTitles: ['FAULT', 'BREAKS', 'WHAT THE SERVER DOES'],
  row: ({ id, description, breaks, warnings, undecidable }) => [
    id,
    [...breaks, ...warnings.map((one) => `${one} (warning)`)].join(' ') ||
      (undecidable === undefined ? '' : '(undecidable from outside)'),
    description,
  ],
});

export const listVariants = listing({
  entries: async () =>
    (await import('../../reference-server/catalogue/variants/index.ts')).describeVariants(),
  columnTitles: ['VARIANT', 'EXPECTED OUTCOME', 'WHAT THE SERVER DOES'],
  row: ({ id, description, outcome, warnings, inconclusive }) => [
    id,
    expectedOutcome(outcome, [...warnings, ...inconclusive]),
    description,
  ],
});

/** The expected outcome, and its requirements as long as they fit into a column; `--json` has them all. */
function expectedOutcome(outcome: string, ids: readonly string[]): string {
  if (ids.length === 0) return outcome;
  return `${outcome}: ${ids.length > 2 ? `${ids.length} requirements` : ids.join(' and ')}`;
}
