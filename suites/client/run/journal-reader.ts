import { definedFields, jsonFields, parsedJson } from '../../../kernel/basics/json.ts';
import type { Product } from '../../../kernel/basics/product.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import { readJournalFile } from '../../../kernel/recording/journal-file.ts';
import { linesOf } from '../../../kernel/recording/line-file.ts';
import type {
  ClientDescription,
  ClientJournalContents,
  ClientJournalLine,
  ClientRunLine,
  EndLine,
} from '../model/journal.ts';
import { clientJournalLine } from '../model/journal.ts';

const MEBI = 1024 * 1024;

/** A run takes at most 300 requests from each of some twenty starts; a client attached by hand may send more. */
const BOUNDS = { lineBytes: MEBI, lines: 200_000, bytes: 256 * MEBI };

/** The fields of the first line of a file; none where it is no JSON. @throws {JournalError} when the file cannot be read. */
export function journalHead(path: string): Readonly<Record<string, unknown>> {
  for (const bytes of linesOf(path, BOUNDS.lineBytes))
    return jsonFields(bytes === undefined ? undefined : parsedJson(bytes.toString()));
  return {};
}

/** Whether a journal is that of a client. @throws {JournalError} when the file cannot be read. */
export const isClientJournal = (path: string): boolean => journalHead(path)['kind'] === 'client-run';

/** A damaged line is left out and reported. @throws {JournalError} when it cannot be read, has no head of a run, or exceeds the bounds. */
export function readClientJournal(path: string): ClientJournalContents {
  return readJournalFile(path, {
    bounds: BOUNDS,
    parse: clientLine,
    head: { kind: 'client-run', version: 1 },
    name: 'the journal of a client',
    command: 'certify-client',
  });
}

function clientLine(bytes: Buffer): ClientJournalLine | undefined {
  const line = parsedJson(bytes.toString());
  return clientJournalLine.is(line) ? line : undefined;
}

/** The specification that a client is tested against, as the journal names it. */
export type SpecificationName = ClientRunLine['spec'];

export const headLine = (
  client: ClientDescription,
  { version, digest }: SpecificationName,
  { starts, selection }: Pick<ClientRunLine, 'starts' | 'selection'>,
  product: Product | undefined,
): ClientRunLine =>
  definedFields({
    kind: 'client-run' as const,
    journalVersion: 1 as const,
    suite: SUITE,
    spec: { version, digest },
    client,
    product,
    selection,
    starts: starts.map(({ start, scenario, repetition }) => ({ start, scenario, repetition })),
    startedAt: new Date().toISOString(),
  });

export const endLine = (how: EndLine['how'], because: string): EndLine => ({
  kind: 'end',
  how,
  because,
  finishedAt: new Date().toISOString(),
});
