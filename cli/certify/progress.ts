import type { JournalLine, RunPlan } from '../../suites/index.ts';
import { requestsOf } from '../../suites/index.ts';
import { liveLine } from '../live-line.ts';
import type { Terminal } from '../terminal.ts';
import { secondsText } from '../terminal.ts';

/** Shows how a run goes on, from nothing but the lines of its journal. */
export interface Progress {
  observe(line: JournalLine): void;
  /** Takes a live line away again; nothing is shown after it. */
  stop(): void;
}

/** Milliseconds on a clock that never goes back. */
type Monotonic = () => number;

/** Progress for this terminal: one line that is written over, or a plain line for each probe and each wait. */
export function createProgress(terminal: Terminal, plan: RunPlan, now: Monotonic): Progress {
  const state = new State(plan, now);
  return terminal.live ? liveProgress(terminal, state) : plainProgress(terminal, state);
}

/** What is known of the run so far. */
class State {
  readonly #now: Monotonic;
  readonly #start: number;
  readonly #asks: ReadonlyMap<string, string>;
  readonly #planned: number;
  #sent = 0;
  #phase = '';
  #wait: { readonly until: number; readonly because: string } | undefined;

  constructor({ probes, total }: RunPlan, now: Monotonic) {
    this.#now = now;
    this.#start = now();
    this.#planned = requestsOf(total);
    this.#asks = new Map(probes.map(({ probe }) => [probe.id, probe.description]));
  }

  take(line: JournalLine): void {
    if (line.kind === 'exchange') this.#sent += 1;
    if (line.kind === 'exchange' || line.kind === 'probe') this.#wait = undefined;
    if (line.kind === 'probe') this.#phase = `${line.id}: ${this.#asks.get(line.id) ?? ''}`;
    if (line.kind === 'wait')
      this.#wait = { until: this.#now() + line.seconds * 1000, because: line.because };
  }

  get elapsed(): string {
    return `${((this.#now() - this.#start) / 1000).toFixed(1)} s`;
  }

  /** Requests sent, of those planned; a target that does not do what a conforming one does may need more. */
  get requests(): string {
    return `${this.#sent}/${Math.max(this.#planned, this.#sent)}`;
  }

  /** What is being asked, or why and for how much longer nothing is. */
  get doing(): string {
    if (this.#wait === undefined) return this.#phase;
    const left = Math.max(0, (this.#wait.until - this.#now()) / 1000);
    return `waits ${secondsText(left)}: ${this.#wait.because}`;
  }
}

function plainProgress({ err }: Terminal, state: State): Progress {
  return {
    observe(line) {
      state.take(line);
      if (line.kind !== 'probe' && line.kind !== 'wait') return;
      err.write(`${state.elapsed.padStart(8)}  ${state.requests.padStart(9)}  ${state.doing}\n`);
    },
    stop: () => undefined,
  };
}

function liveProgress(terminal: Terminal, state: State): Progress {
  const line = liveLine(terminal, () => `${state.elapsed} · ${state.requests} requests · ${state.doing}`);
  return { observe: (one) => state.take(one), stop: line.stop };
}
