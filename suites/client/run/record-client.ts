import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../../../kernel/basics/errors.ts';
import type { Product } from '../../../kernel/basics/product.ts';
import { COMMAND, quoted } from '../../../kernel/basics/text.ts';
import { LineFile } from '../../../kernel/recording/line-file.ts';
import { howEnded } from '../judging/remarks.ts';
import type { ClientDescription, ClientJournalLine, EndLine } from '../model/journal.ts';
import { printedText } from '../model/sender.ts';
import type { OtherProtocol } from '../service/scripted-service.ts';
import type { SpecificationName } from './journal-reader.ts';
import { endLine, headLine, readClientJournal } from './journal-reader.ts';
import type { ClientPlan, PlannedScenario } from './plan.ts';
import { freshMark, startingOrder, startsLaterBy } from './plan.ts';
import type { PlayedStart, StartEquipment } from './play-start.ts';
import { playStart } from './play-start.ts';
import { startWatchdog, watchStalls } from './watchdog.ts';

/** Where a run of a client is recorded, who watches it, and what ends it. */
export interface ClientRecording {
  /** Of the journal; its folder exists. */
  readonly path: string;
  /** Called with every line of the journal after it was written. */
  readonly observe: (line: ClientJournalLine) => void;
  readonly signal: AbortSignal;
}

/**
 * A line that cannot be written, or that an observer rejects, ends the recording: without its record nothing is proven.
 * @throws {JournalError} when the file cannot be created.
 */
export function clientRecorder({ path, observe }: Pick<ClientRecording, 'path' | 'observe'>) {
  const file = new LineFile<ClientJournalLine>(path);
  const failed = new AbortController();
  // Of the global type: the one that the controller has cannot be named in a declaration of the package.
  const signal: AbortSignal = failed.signal;
  /** Ends the recording with this error, unless another one has ended it before. */
  const fail = (error: unknown): void => failed.abort(error);
  return {
    /** Aborts, with the error as its reason, when nothing more is recorded. */
    failed: signal,
    fail,
    /** Writes a line before it returns. Never throws. */
    record: (line: ClientJournalLine): void => {
      if (signal.aborted) return;
      try {
        file.append(line);
        observe(line);
      } catch (error) {
        fail(error);
      }
    },
    /** Closes the journal. @throws what ended the recording, such as a JournalError. */
    close: (): void => {
      file.close();
      signal.throwIfAborted();
    },
  };
}

export type ClientRecorder = ReturnType<typeof clientRecorder>;

/** Why a client that speaks another protocol reached nothing. */
const SPOKEN: Readonly<Record<OtherProtocol, string>> = {
  TLS: ' It began TLS, but the address in PETSTORE_TARGET begins with http.',
  'HTTP/2':
    ' It spoke HTTP/2 from the first byte; the scripted service speaks HTTP/1.1. Let the client use HTTP/1.1, or offer HTTP/2 by an upgrade.',
};

/** The one sentence about a client that sent no request in the whole run, with the end of what it printed and the contract that it probably does not know. */
function noRequestError(
  { how, output, spoke }: PlayedStart,
  { client, equipment }: ClientRunSettings,
): UserError {
  const command = quoted(client.words.join(' '));
  if (how.kind === 'not-started') {
    return new UserError(
      `The client ${command} could not be started: ${startTrouble(how.because)}. Give a program and its arguments after "--", as in a shell without its operators.`,
    );
  }
  const saying = `${printedText(output) ?? 'It printed nothing.'}${spoke === undefined ? '' : SPOKEN[spoke]}`;
  const contract = `It has to send its first request within ${equipment.firstRequestSeconds} s, to the address in PETSTORE_TARGET with the key in PETSTORE_API_KEY; "${COMMAND} certify-client --template node" prints a client that does. Variables of its own have to be given in the command, as in: -- env NAME=VALUE COMMAND.`;
  return new UserError(`The client ${command} sent no request: it ${howEnded(how)}. ${saying} ${contract}`);
}

function startTrouble(message: string): string {
  if (message.includes('ENOENT')) return 'there is no such program, or not the one that its first line names';
  if (message.includes('EACCES')) return 'its file is not executable';
  return message;
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

/** When it returns or throws, no process of the client is left. @throws {JournalError} and, with the journal kept, {UserError}. */
export async function recordClient(
  settings: ClientRunSettings,
  recording: ClientRecording,
): Promise<ClientRunEnd> {
  const { client, spec, plan, product, seconds } = settings;
  const recorder = clientRecorder(recording);
  const late = new AbortController();
  const timer = seconds === undefined ? undefined : setTimeout(() => late.abort(), 1000 * seconds);
  const over = AbortSignal.any([recording.signal, recorder.failed, late.signal]);
  const endStallWatch = watchStalls(recorder.record);
  try {
    recorder.record(headLine(client, spec, plan, product));
    const unanswered = await playRun(settings, recorder, recording.path, over);
    const ended = over.reason === late.signal.reason ? 'out-of-time' : 'interrupted';
    const end = over.aborted ? ended : 'finished';
    const failure = end === 'interrupted' ? undefined : unanswered;
    recorder.record(lastLine(end, failure, seconds));
    if (failure !== undefined) throw failure;
    return end;
  } finally {
    endStallWatch();
    clearTimeout(timer);
    recorder.close();
  }
}

function lastLine(end: ClientRunEnd, failure: UserError | undefined, seconds = 0): EndLine {
  if (failure !== undefined) return endLine('failed', failure.message);
  if (end === 'finished') return endLine('finished', 'Every scenario was played.');
  const because =
    end === 'interrupted' ? 'the user ended it.' : `the bound of ${seconds} s on its time was reached.`;
  return endLine('interrupted', because);
}

/**
 * Plays the starts of the plan, then those that an unclear backoff needs, then once more those in which nothing was sent in time.
 * @param over ends every start, and the run with them.
 * @returns why no client of the run sent anything; undefined where one did.
 */
async function playRun(
  settings: ClientRunSettings,
  recorder: ClientRecorder,
  path: string,
  over: AbortSignal,
): Promise<UserError | undefined> {
  const { plan, jobs, needsMoreOfBackoff } = settings;
  const { starts, ifUnclear } = plan;
  let requests = 0;
  /** Starts in which the client sent nothing. */
  const withoutRequest: PlayedStart[] = [];
  /** A runtime that compiles its program first may send nothing in time. */
  const silent: PlannedScenario[] = [];
  const mark = freshMark();
  const watchdog = startWatchdog(mark);
  const equipment: StartEquipment = {
    ...settings.equipment,
    mark,
    watchdog,
    nextNumber: () => {
      requests += 1;
      return requests;
    },
    record: recorder.record,
    signal: over,
  };
  /** Where a client ended without a request, no further one is started until another has sent something. */
  const mayStart = (): boolean => !over.aborted && (withoutRequest.length === 0 || requests > 0);
  const play = async (planned: PlannedScenario): Promise<void> => {
    try {
      await delay(1000 * startsLaterBy(planned), undefined, { signal: over }).catch(() => undefined);
      if (!mayStart()) return;
      const played = await playStart(planned, equipment);
      if (played.requests === 0) withoutRequest.push(played);
      if (played.how.kind === 'stopped' && played.how.because === 'no-request') silent.push(planned);
    } catch (error) {
      // The other clients must end before the run does.
      recorder.fail(error);
    }
  };
  try {
    await inSlots(startingOrder(starts), jobs, mayStart, play);
    if (ifUnclear.length > 0 && mayStart() && needsMoreOfBackoff(readClientJournal(path).lines))
      await inSlots(ifUnclear, jobs, mayStart, play);
    const last = Math.max(...[...starts, ...ifUnclear].map(({ start }) => start));
    const again = silent.map((one, at) => ({ ...one, start: last + 1 + at }));
    await inSlots(again, jobs, mayStart, play);
  } finally {
    await watchdog.close();
  }
  const [first] = withoutRequest;
  return requests > 0 || first === undefined ? undefined : noRequestError(first, settings);
}

/** Plays so many at a time, in their order, for as long as further ones may start. */
async function inSlots(
  starts: readonly PlannedScenario[],
  slots: number,
  mayStart: () => boolean,
  play: (planned: PlannedScenario) => Promise<void>,
): Promise<void> {
  const waiting = [...starts];
  const running = new Set<Promise<void>>();
  for (;;) {
    while (running.size < slots && mayStart()) {
      const next = waiting.shift();
      if (next === undefined) break;
      const played = play(next).finally(() => running.delete(played));
      running.add(played);
    }
    if (running.size === 0) return;
    await Promise.race(running);
  }
}
