import type { ClientJournalLine } from '../model/journal.ts';
import type { ClientRequirementId } from '../model/scenario.ts';
import type { ClientPlan, PlannedScenario } from './plan.ts';

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
