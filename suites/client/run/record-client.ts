import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../../../kernel/basics/errors.ts';
import type { Product } from '../../../kernel/basics/product.ts';
import { COMMAND, quoted } from '../../../kernel/basics/text.ts';
import { LineFile } from '../../../kernel/recording/line-file.ts';
import type { ClientDescription, ClientExit, ClientJournalLine, EndLine } from '../model/journal.ts';
import { printedText } from '../model/sender.ts';
import type { OtherProtocol } from '../service/scripted-service.ts';
import type { SpecificationName } from './journal-reader.ts';
import { endLine, headLine, SeriesLines } from './journal-reader.ts';
import type { ClientPlan, PlannedScenario } from './plan.ts';
import { freshMark, startingOrder, startsLaterBy } from './plan.ts';
import type { PlayedStart, StartEquipment } from './play-start.ts';
import { playStart } from './play-start.ts';
import type { Watchdog } from './watchdog.ts';
import { startWatchdog, watchStalls } from './watchdog.ts';

/** Where a run of a client is recorded, who watches it, and what ends it. */
export interface ClientRecording {
  /** Of the journal; its folder exists. */
  readonly path: string;
  /** Called with every line of the journal after it was written. */
  readonly observe: (line: ClientJournalLine) => void;
  readonly signal: AbortSignal;
}

/** A line that cannot be written, or that an observer rejects, ends the recording: without its record nothing is proven. */
export class ClientRecorder {
  readonly #file: LineFile<ClientJournalLine>;
  readonly #observe: (line: ClientJournalLine) => void;
  readonly #failed = new AbortController();

  /** @param observe called with every line after it was written. @throws {JournalError} when the file cannot be created. */
  constructor(path: string, observe: (line: ClientJournalLine) => void) {
    this.#file = new LineFile(path);
    this.#observe = observe;
  }

  /** Aborts, with the error as its reason, when nothing more is recorded. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Writes a line before it returns. Never throws. */
  record(line: ClientJournalLine): void {
    if (this.failed.aborted) return;
    try {
      this.#file.append(line);
      this.#observe(line);
    } catch (error) {
      this.#failed.abort(error);
    }
  }

  /** Closes the journal. @throws what ended the recording, such as a JournalError. */
  close(): void {
    this.#file.close();
    this.failed.throwIfAborted();
  }
}

/** A client that cannot be tested: it cannot be started, or sends nothing. The message is one sentence for the user. */
class ClientRunError extends UserError {
  override readonly name = 'ClientRunError';
}

/** The contract that such a client probably does not know. */
const CONTRACT = `It has to send its requests to the address in PETSTORE_TARGET with the key in PETSTORE_API_KEY; "${COMMAND} certify-client --template node" prints a client that does. Variables of its own have to be given in the command, as in: -- env NAME=VALUE COMMAND.`;

/** Why a client that speaks another protocol reached nothing. */
const SPOKEN: Readonly<Record<OtherProtocol, string>> = {
  TLS: ' It began TLS, but the address in PETSTORE_TARGET begins with http.',
  'HTTP/2':
    ' It spoke HTTP/2 from the first byte; the scripted service speaks HTTP/1.1. Let the client use HTTP/1.1, or offer HTTP/2 by an upgrade.',
};

/** The one sentence about a client that sent no request in the whole run, with the end of what it printed. */
function noRequestError(
  { how, output, spoke }: PlayedStart,
  { client, equipment }: ClientRunSettings,
): ClientRunError {
  const command = quoted(client.words.join(' '));
  if (how.kind === 'not-started') {
    return new ClientRunError(
      `The client ${command} could not be started: ${startTrouble(how.because)}. Give a program and its arguments after "--", as in a shell without its operators.`,
    );
  }
  const saying = `${printedText(output) ?? 'It printed nothing.'}${spoke === undefined ? '' : SPOKEN[spoke]}`;
  const ending = endingText(how, equipment.firstRequestSeconds);
  return new ClientRunError(`The client ${command} ${ending}. ${saying} ${CONTRACT}`);
}

function endingText(how: Exclude<ClientExit, { kind: 'not-started' }>, seconds: number): string {
  switch (how.kind) {
    case 'exited':
      return `ended with status ${how.code} and sent no request`;
    case 'signalled':
      return `was ended by ${how.signal} and sent no request`;
    case 'stopped':
      return how.because === 'no-request'
        ? `sent no request within ${seconds} s`
        : 'was stopped before it sent a request';
  }
}

function startTrouble(message: string): string {
  if (message.includes('ENOENT')) return 'there is no such program in the folders of PATH';
  if (message.includes('EACCES')) return 'its file is not executable';
  return message;
}

/** A runtime that compiles its program first may send nothing in time, so each such start is made once more after all others. */
class SilentStarts {
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

/** A run that tests a client, settled before anything is started. */
export interface ClientRunSettings {
  readonly client: Extract<ClientDescription, { kind: 'command' }>;
  readonly spec: SpecificationName;
  readonly product?: Product | undefined;
  readonly plan: ClientPlan;
  readonly jobs: number;
  /** The longest that the run may take in seconds; undefined for as long as its scenarios take. */
  readonly seconds: number | undefined;
  readonly equipment: Pick<StartEquipment, 'words' | 'host' | 'targetAt' | 'env' | 'firstRequestSeconds'>;
  /** Whether the starts of the plan that only an unclear backoff needs are made, by the lines so far. */
  readonly needsMoreOfBackoff: (lines: readonly ClientJournalLine[]) => boolean;
}

export type ClientRunEnd = 'finished' | 'out-of-time' | 'interrupted';

/** When it returns or throws, no process of the client is left. @throws {JournalError} and, with the journal kept, {ClientRunError}. */
export async function recordClient(
  settings: ClientRunSettings,
  { path, observe, signal }: ClientRecording,
): Promise<ClientRunEnd> {
  const series = new SeriesLines(settings.plan);
  const recorder = new ClientRecorder(path, (line) => {
    observe(line);
    series.observe(line);
  });
  const run = new ClientRun(settings, recorder, series);
  const interrupt = (): void => run.abort('interrupted');
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  try {
    return await run.play();
  } finally {
    signal.removeEventListener('abort', interrupt);
    recorder.close();
  }
}

/** One run: which starts are made when, and what ends them. */
class ClientRun {
  readonly #settings: ClientRunSettings;
  readonly #recorder: ClientRecorder;
  readonly #series: SeriesLines;
  readonly #abort = new AbortController();
  readonly #mark = freshMark();
  #requests = 0;
  /** A start in which the client sent nothing. */
  #withoutRequest: PlayedStart | undefined;
  readonly #silent: SilentStarts;
  #end: ClientRunEnd = 'finished';
  #failure: unknown;

  constructor(settings: ClientRunSettings, recorder: ClientRecorder, series: SeriesLines) {
    this.#settings = settings;
    this.#recorder = recorder;
    this.#series = series;
    this.#silent = new SilentStarts(settings.plan);
    recorder.failed.addEventListener('abort', () => this.abort('interrupted'), { once: true });
  }

  abort(end: ClientRunEnd): void {
    if (this.#abort.signal.aborted) return;
    this.#end = end;
    this.#abort.abort();
  }

  async play(): Promise<ClientRunEnd> {
    const { client, spec, plan, product, seconds } = this.#settings;
    const timer =
      seconds === undefined ? undefined : setTimeout(() => this.abort('out-of-time'), 1000 * seconds);
    const watchdog = startWatchdog(this.#mark);
    const endStallWatch = watchStalls((line) => this.#record(line));
    try {
      this.#record(headLine(client, spec, plan, product));
      await this.#playAll(watchdog);
      endStallWatch();
      this.#concludeOrThrow();
      return this.#end;
    } finally {
      endStallWatch();
      clearTimeout(timer);
      await watchdog.close();
    }
  }

  async #playAll(watchdog: Watchdog): Promise<void> {
    const { plan, jobs } = this.#settings;
    const equipment = this.#equipment(watchdog);
    const waiting = [...startingOrder(plan.starts)];
    const running = new Set<Promise<void>>();
    for (;;) {
      while (running.size < jobs && this.#mayStart()) {
        const next = waiting.shift();
        if (next === undefined) break;
        const played = this.#play(next, equipment).finally(() => running.delete(played));
        running.add(played);
      }
      if (running.size === 0) return;
      await Promise.race(running);
      waiting.push(...this.#series.furtherStarts(this.#settings.needsMoreOfBackoff));
      if (running.size === 0 && waiting.length === 0) waiting.push(...this.#silent.again());
    }
  }

  async #play(planned: PlannedScenario, equipment: StartEquipment): Promise<void> {
    try {
      await this.#untilTurn(planned);
      if (!this.#mayStart()) return;
      const played = await playStart(planned, equipment);
      if (played.requests === 0) this.#withoutRequest ??= played;
      this.#silent.observe(planned, played);
    } catch (error) {
      // The other clients must end before the run does.
      this.#fail(error);
    }
  }

  /** Waits as long as a repetition begins later than the first one; ends early when the run does. */
  async #untilTurn(planned: PlannedScenario): Promise<void> {
    const milliseconds = 1000 * startsLaterBy(planned);
    if (milliseconds === 0) return;
    await delay(milliseconds, undefined, { signal: this.#abort.signal }).catch(() => undefined);
  }

  /** Where a client ended without a request, no further one is started until another has sent something. */
  #mayStart(): boolean {
    return !this.#abort.signal.aborted && (this.#withoutRequest === undefined || this.#requests > 0);
  }

  #equipment(watchdog: Watchdog): StartEquipment {
    return {
      ...this.#settings.equipment,
      mark: this.#mark,
      watchdog,
      nextNumber: () => {
        this.#requests += 1;
        return this.#requests;
      },
      record: (line) => this.#record(line),
      signal: this.#abort.signal,
    };
  }

  /** Writes a line; where that fails the run ends. After a failure of a start nothing more is recorded. */
  #record(line: ClientJournalLine): void {
    if (this.#failure === undefined) this.#recorder.record(line);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.abort('interrupted');
  }

  #concludeOrThrow(): void {
    if (this.#failure !== undefined) throw this.#failure;
    const failure =
      this.#end === 'interrupted' || this.#withoutRequest === undefined || this.#requests > 0
        ? undefined
        : noRequestError(this.#withoutRequest, this.#settings);
    this.#record(this.#endLine(failure?.message));
    if (failure !== undefined) throw failure;
  }

  #endLine(failure: string | undefined): EndLine {
    if (failure !== undefined) return endLine('failed', failure);
    if (this.#end === 'finished') return endLine('finished', 'Every scenario was played.');
    const because =
      this.#end === 'interrupted'
        ? 'the user ended it.'
        : `the bound of ${this.#settings.seconds ?? 0} s on its time was reached.`;
    return endLine('interrupted', because);
  }
}
