import { jsonFields, parsedJson } from '../../../kernel/basics/json.ts';
import type { Product } from '../../../kernel/basics/product.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import type { ReadingBounds } from '../../../kernel/recording/journal-file.ts';
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
import type { ClientRequirementId } from '../model/scenario.ts';
import type { ClientPlan, PlannedScenario } from './plan.ts';

const MEBI = 1024 * 1024;

/** A run takes at most 300 requests from each of some twenty starts; a client attached by hand may send more. */
const BOUNDS: ReadingBounds = { lineBytes: MEBI, lines: 200_000, bytes: 256 * MEBI };

/** The fields of the first line of a file; none where it is no JSON. @throws {JournalError} when the file cannot be read. */
export function journalHead(path: string): Readonly<Record<string, unknown>> {
  for (const bytes of linesOf(path, BOUNDS.lineBytes))
    return jsonFields(bytes === undefined ? undefined : parsedJson(bytes.toString()));
  return {};
}

/** Whether a journal is that of a client. @throws {JournalError} when the file cannot be read. */
export const isClientJournal = (path: string): boolean => journalHead(path)['kind'] === 'client-run';

/** A damaged line is left out and reported. @throws {JournalError} when it cannot be read, has no head of a run, or exceeds the bounds. */
export function readClientJournal(path: string, bounds: ReadingBounds = BOUNDS): ClientJournalContents {
  return readJournalFile(path, {
    bounds,
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
): ClientRunLine => ({
  kind: 'client-run',
  journalVersion: 1,
  suite: SUITE,
  spec: { version, digest },
  client,
  ...(product === undefined ? {} : { product }),
  ...(selection === undefined ? {} : { selection }),
  starts: starts.map(({ start, scenario, repetition }) => ({ start, scenario, repetition })),
  startedAt: new Date().toISOString(),
});

export const endLine = (how: EndLine['how'], because: string): EndLine => ({
  kind: 'end',
  how,
  because,
  finishedAt: new Date().toISOString(),
});

/** What shows how a client backs off: its series of 429 responses, and the waits that tell whether it reads Retry-After. */
const SHOWS_BACKOFF: readonly ClientRequirementId[] = ['CLIENT-1', 'CLIENT-2'];

/** Keeps the lines of the starts that show the backoff, and knows when all of them have ended. */
export class SeriesLines {
  readonly #plan: ClientPlan;
  readonly #awaited: Set<number>;
  readonly #starts: ReadonlySet<number>;
  readonly #requests = new Set<number>();
  readonly #lines: ClientJournalLine[] = [];
  #decided = false;

  constructor(plan: ClientPlan) {
    this.#plan = plan;
    this.#starts = new Set(
      plan.starts
        .filter(({ played }) => SHOWS_BACKOFF.some((id) => played.decides.includes(id)))
        .map(({ start }) => start),
    );
    this.#awaited = new Set(this.#starts);
  }

  observe(line: ClientJournalLine): void {
    if (line.kind === 'client-run') this.#lines.push(line);
    if ((line.kind === 'response' || line.kind === 'reset') && this.#requests.has(line.n))
      this.#lines.push(line);
    if (line.kind !== 'start' && line.kind !== 'arrival' && line.kind !== 'exit') return;
    if (!this.#starts.has(line.start)) return;
    if (line.kind === 'arrival') this.#requests.add(line.n);
    if (line.kind === 'exit') this.#awaited.delete(line.start);
    this.#lines.push(line);
  }

  /** The starts that an unclear backoff needs: given once, when the series before them have ended. */
  furtherStarts(isNeeded: (lines: readonly ClientJournalLine[]) => boolean): readonly PlannedScenario[] {
    if (this.#decided || this.#awaited.size > 0) return [];
    this.#decided = true;
    const { ifUnclear } = this.#plan;
    return ifUnclear.length > 0 && isNeeded(this.#lines) ? ifUnclear : [];
  }
}
