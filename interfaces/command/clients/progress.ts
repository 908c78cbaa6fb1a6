import { durationText } from '../../../kernel/basics/duration-text.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import { headerValue } from '../../../kernel/exchanges/headers.ts';
import { endingText } from '../../../suites/client/judging/timeline.ts';
import type { ClientJournalLine, ExitLine, ResponseLine } from '../../../suites/client/model/journal.ts';
import type { ClientPlan } from '../../../suites/client/run/plan.ts';
import type { News, RunSoFar } from '../progress.ts';

/** One start that has not ended. */
interface RunningStart {
  readonly name: string;
  readonly requests: number;
  /** What is waited for, and why. */
  readonly waitsFor: string;
}

/** A live line moves on to the next running start after this time, in milliseconds. */
const TURN_MS = 1500;

/** The starts of a run of a client so far. News are that one begins, is rate-limited first, or ends. */
export class ClientRunSoFar implements RunSoFar<ClientJournalLine> {
  readonly #planned: number;
  readonly #now: () => number;
  readonly #began: number;
  #news = '';

  readonly #running = new Map<number, RunningStart>();
  /** The starts of the requests without a response, by their numbers. */
  readonly #startOf = new Map<number, number>();
  #begun = 0;
  #ended = 0;

  constructor({ starts }: ClientPlan, now: () => number) {
    this.#planned = starts.length;
    this.#now = now;
    this.#began = now();
  }

  update(line: ClientJournalLine): News {
    const news = this.#newsIn(line);
    this.#news = news ?? this.#news;
    return news === undefined ? undefined : 'news';
  }

  plain(): string {
    return this.#news;
  }

  live(): string {
    const turn = Math.floor((this.#now() - this.#began) / TURN_MS);
    const planned = Math.max(this.#planned, this.#begun);
    return `${this.#ended} of ${planned} starts ended · ${this.#text(turn)}`;
  }

  /** The news in a line for a person, if any. */
  #newsIn(line: ClientJournalLine): string | undefined {
    if (line.kind === 'start') return this.#begin(line.start, `${line.scenario} ${line.repetition}`);
    if (line.kind === 'arrival') this.#startOf.set(line.n, line.start);
    if (line.kind === 'response') return this.#respond(line);
    return line.kind === 'exit' ? this.#exit(line) : undefined;
  }

  /** One of the running starts, in turn. */
  #text(turn: number): string {
    const running = [...this.#running.values()];
    const one = running[turn % Math.max(1, running.length)];
    return one === undefined ? 'no client is running' : `${one.name}: ${one.waitsFor}`;
  }

  #begin(start: number, name: string): string {
    this.#begun += 1;
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
    this.#ended += 1;
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
