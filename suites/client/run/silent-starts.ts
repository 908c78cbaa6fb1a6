import type { ClientPlan, PlannedScenario } from './plan.ts';
import type { PlayedStart } from './play-start.ts';

/**
 * The starts that were stopped because the client had sent nothing for so long. A runtime that compiles its program first
 * can need more than that on a busy machine, so each is made once more when all others have ended.
 */
export class SilentStarts {
  readonly #found: PlannedScenario[] = [];
  #next: number;
  #given = false;

  constructor({ starts, ifUnclear }: ClientPlan) {
    this.#next = Math.max(0, ...[...starts, ...ifUnclear].map(({ start }) => start)) + 1;
  }

  observe(planned: PlannedScenario, { how }: PlayedStart): void {
    if (how.kind === 'stopped' && how.because === 'no-request') this.#found.push(planned);
  }

  /** These starts with numbers of their own: given once, and those that stay silent are not made a third time. */
  again(): readonly PlannedScenario[] {
    if (this.#given) return [];
    this.#given = true;
    return this.#found.map((planned) => {
      const start = this.#next;
      this.#next += 1;
      return { ...planned, start };
    });
  }
}
