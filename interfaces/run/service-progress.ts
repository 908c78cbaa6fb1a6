import { durationText } from '../../kernel/basics/text.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import type { RunPlan } from '../../suites/service/run/plan.ts';
import { requestsOf } from '../../suites/service/run/plan.ts';
import type { News, RunSoFar } from './progress.ts';

/** A certification run so far: its requests, and the current probe or wait. News are each probe that sends something, and each wait. */
export class CertificationSoFar implements RunSoFar<JournalLine> {
  readonly #descriptions: ReadonlyMap<string, string>;
  readonly #planned: number;
  #requestsSent = 0;
  #probe = '';
  #wait: { readonly until: number; readonly because: string } | undefined;

  constructor({ probes, total }: RunPlan) {
    this.#planned = requestsOf(total);
    this.#descriptions = new Map(probes.map(({ probe }) => [probe.id, probe.description]));
  }

  update(line: JournalLine): News {
    if (line.kind === 'exchange') this.#requestsSent += 1;
    if (line.kind === 'exchange' || line.kind === 'probe') this.#wait = undefined;
    if (line.kind === 'probe') this.#probe = `${line.id}: ${this.#descriptions.get(line.id) ?? ''}`;
    if (line.kind === 'wait')
      this.#wait = { until: performance.now() + line.seconds * 1000, because: line.because };
    return NEWS[line.kind];
  }

  responds(line: JournalLine): boolean {
    return line.kind === 'exchange' && line.outcome.kind === 'answer';
  }

  plain(): string {
    return `${this.#requests.padStart(9)}  ${this.#activity}`;
  }

  live(): string {
    return `${this.#requests} requests · ${this.#activity}`;
  }

  /** Requests sent, of those planned; a non-conforming target may need more than planned. */
  get #requests(): string {
    return `${this.#requestsSent}/${Math.max(this.#planned, this.#requestsSent)}`;
  }

  /** The current probe, or why the run waits and for how much longer. */
  get #activity(): string {
    if (this.#wait === undefined) return this.#probe;
    const secondsLeft = Math.max(0, (this.#wait.until - performance.now()) / 1000);
    return `waits ${durationText(secondsLeft)}: ${this.#wait.because}`;
  }
}

const NEWS: Readonly<Partial<Record<JournalLine['kind'], News>>> = {
  probe: 'begins',
  exchange: 'goes on',
  wait: 'news',
  end: 'ended',
};
