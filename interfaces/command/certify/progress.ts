import { durationText } from '../../../kernel/basics/duration-text.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';
import type { RunPlan } from '../../../suites/service/run/plan.ts';
import { requestsOf } from '../../../suites/service/run/plan.ts';
import { liveLine } from '../live-line.ts';
import type { Terminal } from '../terminal.ts';
import { stopwatch } from '../terminal.ts';

/** Shows the progress of a run, from the lines of its journal alone. */
export interface Progress {
  observe(line: JournalLine): void;
  /** Removes a live line; nothing is shown after it. */
  stop(): void;
}

/** Milliseconds on a monotonic clock. */
type MonotonicClock = () => number;

/** Progress for this terminal: one live line, or a plain line for each probe that sends something and for each wait. */
export function createProgress(terminal: Terminal, plan: RunPlan, now: MonotonicClock): Progress {
  const progress = new RunProgress(plan, now);
  return terminal.live ? liveProgress(terminal, progress) : plainProgress(terminal, progress, now);
}

/** A first response that takes this long is announced before it comes, in milliseconds. */
const PATIENCE_MS = 200;

/** Progress that begins where the target first responds: until then it may be no target at all. */
export function fromFirstResponse({ err }: Terminal, begin: () => Progress): Progress {
  const before: JournalLine[] = [];
  let progress: Progress | undefined;
  const note = (): void => void err.write('Waiting for the first response of the target.\n');
  const timer = setTimeout(note, PATIENCE_MS).unref();
  return {
    observe(line) {
      if (progress !== undefined) return progress.observe(line);
      before.push(line);
      if (line.kind !== 'exchange' || line.outcome.kind !== 'answer') return;
      clearTimeout(timer);
      progress = begin();
      for (const one of before) progress.observe(one);
    },
    stop() {
      clearTimeout(timer);
      progress?.stop();
    },
  };
}

/** The progress of the run so far. */
class RunProgress {
  readonly #now: MonotonicClock;
  readonly elapsed: () => string;
  readonly #descriptions: ReadonlyMap<string, string>;
  readonly #planned: number;
  #requestsSent = 0;
  #probe = '';
  #wait: { readonly until: number; readonly because: string } | undefined;

  constructor({ probes, total }: RunPlan, now: MonotonicClock) {
    this.#now = now;
    this.elapsed = stopwatch(now);
    this.#planned = requestsOf(total);
    this.#descriptions = new Map(probes.map(({ probe }) => [probe.id, probe.description]));
  }

  update(line: JournalLine): void {
    if (line.kind === 'exchange') this.#requestsSent += 1;
    if (line.kind === 'exchange' || line.kind === 'probe') this.#wait = undefined;
    if (line.kind === 'probe') this.#probe = `${line.id}: ${this.#descriptions.get(line.id) ?? ''}`;
    if (line.kind === 'wait')
      this.#wait = { until: this.#now() + line.seconds * 1000, because: line.because };
  }

  /** Requests sent, of those planned; a non-conforming target may need more than planned. */
  get requests(): string {
    return `${this.#requestsSent}/${Math.max(this.#planned, this.#requestsSent)}`;
  }

  /** The current probe, or why the run waits and for how much longer. */
  get activity(): string {
    if (this.#wait === undefined) return this.#probe;
    const secondsLeft = Math.max(0, (this.#wait.until - this.#now()) / 1000);
    return `waits ${durationText(secondsLeft)}: ${this.#wait.because}`;
  }
}

/** A plain line appears at least this often while requests are sent, in milliseconds. */
const LONGEST_QUIET_MS = 30_000;

function plainProgress({ err }: Terminal, progress: RunProgress, now: MonotonicClock): Progress {
  let printedAt = now();
  // Many probes send nothing to a conforming service: one is printed with its first response or wait, or when that takes long.
  let begun: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const write = (text: string): void => {
    printedAt = now();
    err.write(text);
  };
  const writeBegun = (): void => {
    clearTimeout(timer);
    if (begun !== undefined) write(begun);
    begun = undefined;
  };
  return {
    observe(line) {
      progress.update(line);
      const text = `${progress.elapsed().padStart(8)}  ${progress.requests.padStart(9)}  ${progress.activity}\n`;
      if (line.kind === 'probe') {
        clearTimeout(timer);
        begun = text;
        timer = setTimeout(writeBegun, PATIENCE_MS).unref();
        return;
      }
      if (line.kind !== 'exchange' && line.kind !== 'wait') return;
      writeBegun();
      const quietTooLong = now() - printedAt >= LONGEST_QUIET_MS;
      if (line.kind === 'wait' || quietTooLong) write(text);
    },
    stop: () => clearTimeout(timer),
  };
}

function liveProgress(terminal: Terminal, progress: RunProgress): Progress {
  const live = liveLine(
    terminal,
    () => `${progress.elapsed()} · ${progress.requests} requests · ${progress.activity}`,
  );
  return {
    observe(journalLine) {
      progress.update(journalLine);
      // What is written after the last line of a journal must not stand behind a live line.
      if (journalLine.kind === 'end') live.stop();
    },
    stop: live.stop,
  };
}
