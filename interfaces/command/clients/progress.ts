import { durationText } from '../../../kernel/basics/duration-text.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import { headerValue } from '../../../kernel/exchanges/headers.ts';
import { endingText } from '../../../suites/client/judging/timeline.ts';
import type { ClientJournalLine, ExitLine, ResponseLine } from '../../../suites/client/model/journal.ts';
import type { ClientPlan } from '../../../suites/client/run/plan.ts';
import { liveLine } from '../live-line.ts';
import type { Terminal } from '../terminal.ts';
import { stopwatch } from '../terminal.ts';

/** Shows the progress of a run from the lines of its journal alone. */
export interface ClientProgress {
  observe(line: ClientJournalLine): void;
  /** Removes a live line; nothing is shown after it. */
  stop(): void;
}

/** One start that has not ended. */
interface RunningStart {
  readonly name: string;
  readonly requests: number;
  /** What is waited for, and why. */
  readonly waitsFor: string;
}

/** A live line moves on to the next running start after this time, in milliseconds. */
const TURN_MS = 1500;

/** Progress for this terminal: one live line, or a plain line whenever a start begins, is rate-limited first, or ends. */
export function createClientProgress(
  terminal: Terminal,
  plan: ClientPlan,
  now: () => number,
): ClientProgress {
  const starts = new RunningStarts();
  const began = now();
  const elapsed = stopwatch(now);
  if (!terminal.live) {
    return {
      observe(line) {
        const news = starts.update(line);
        if (news !== undefined) terminal.err.write(`${elapsed().padStart(8)}  ${news}\n`);
      },
      stop: () => undefined,
    };
  }
  const live = liveLine(terminal, () => {
    const turn = Math.floor((now() - began) / TURN_MS);
    const planned = Math.max(plan.starts.length, starts.begun);
    return `${elapsed()} · ${starts.ended} of ${planned} starts ended · ${starts.text(turn)}`;
  });
  return { observe: (line) => void starts.update(line), stop: live.stop };
}

/** The starts of a run as its journal shows them. */
class RunningStarts {
  readonly #running = new Map<number, RunningStart>();
  /** The starts of the requests without a response, by their numbers. */
  readonly #startOf = new Map<number, number>();
  begun = 0;
  ended = 0;

  /** Takes a line; returns the news in it for a person, if any. */
  update(line: ClientJournalLine): string | undefined {
    if (line.kind === 'start') return this.#begin(line.start, `${line.scenario} ${line.repetition}`);
    if (line.kind === 'arrival') this.#startOf.set(line.n, line.start);
    if (line.kind === 'response') return this.#respond(line);
    return line.kind === 'exit' ? this.#exit(line) : undefined;
  }

  /** One of the running starts, in turn. */
  text(turn: number): string {
    const running = [...this.#running.values()];
    const one = running[turn % Math.max(1, running.length)];
    return one === undefined ? 'no client is running' : `${one.name}: ${one.waitsFor}`;
  }

  #begin(start: number, name: string): string {
    this.begun += 1;
    const waitsFor = 'waits for the first request of the client';
    this.#running.set(start, { name, requests: 0, waitsFor });
    return `${name}: ${waitsFor}`;
  }

  #respond(line: ResponseLine): string | undefined {
    const start = this.#startOf.get(line.n) ?? 0;
    this.#startOf.delete(line.n);
    const before = this.#running.get(start);
    if (before === undefined) return undefined;
    const waitsFor = waitAfter(line);
    this.#running.set(start, { ...before, requests: before.requests + 1, waitsFor });
    return line.status === 429 && before.requests === 0 ? `${before.name}: ${waitsFor}` : undefined;
  }

  #exit(line: ExitLine): string | undefined {
    const before = this.#running.get(line.start);
    this.#running.delete(line.start);
    this.ended += 1;
    if (before === undefined) return undefined;
    const after = line.how.kind === 'not-started' ? '' : `, after ${countOf(before.requests, 'response')}`;
    return `${before.name}: ${endingText({ exit: line, played: undefined })}${after}`;
  }
}

function waitAfter({ status, headers }: ResponseLine): string {
  if (status !== 429) return `waits for the next request, or for the end of the client, after ${status}`;
  const after = headerValue(headers, 'Retry-After');
  if (after === undefined) return 'waits for the next request after 429 without Retry-After';
  return /^\d+$/.test(after)
    ? `expects the next request at the earliest ${durationText(Number(after))} after the 429`
    : `expects the next request at the earliest at ${after}`;
}
