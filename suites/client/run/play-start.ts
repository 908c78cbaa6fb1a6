import { setTimeout as delay } from 'node:timers/promises';
import { now } from '../../../kernel/recording/line-file.ts';
import type { ClientExit, ClientJournalLine, StopReason } from '../model/journal.ts';
import type { Scenario } from '../model/scenario.ts';
import { isFromClient } from '../model/sender.ts';
import { keyRedactor } from '../service/request-body.ts';
import type { OtherProtocol } from '../service/scripted-service.ts';
import { startScriptedService } from '../service/scripted-service.ts';
import type { ClientProcess } from './client-process.ts';
import { clientEnvironment, startClient } from './client-process.ts';
import type { PlannedScenario } from './plan.ts';
import { freshKey, freshPrefix, watchedAtMost } from './plan.ts';
import type { Watchdog } from './watchdog.ts';

type Stopped = Extract<ClientExit, { kind: 'stopped' }>;

/** Decides when a start has to end. */
class StartWatch {
  /** How the start was stopped, once it was. */
  readonly stopped: Promise<Stopped>;
  readonly #scenario: Scenario;
  readonly #signal: AbortSignal;
  readonly #interrupt = (): void => this.stop('interrupted');
  #resolve: (how: Stopped) => void = () => undefined;
  #timer: NodeJS.Timeout;
  #begun = false;
  #silentSinceLimit = false;

  /** @param firstRequestSeconds how long the client may take until its first request. */
  constructor(scenario: Scenario, firstRequestSeconds: number, signal: AbortSignal) {
    this.#scenario = scenario;
    this.#signal = signal;
    this.stopped = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#timer = setTimeout(() => this.stop('no-request'), 1000 * firstRequestSeconds);
    signal.addEventListener('abort', this.#interrupt, { once: true });
    if (signal.aborted) this.#interrupt();
  }

  /** The client is watched from its first request on: a runtime may take a second to start. */
  requestArrived(): void {
    this.#silentSinceLimit = false;
    if (this.#begun) return;
    this.#begun = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#watched(), 1000 * this.#scenario.watchSeconds);
  }

  /** A 429 is about to be sent. */
  limited(): void {
    this.#silentSinceLimit = true;
  }

  stop(because: StopReason): void {
    this.#resolve({ kind: 'stopped', because });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#interrupt);
  }

  /** Ends the start, or gives a client that may still be waiting the rest of its time. */
  #watched(): void {
    const rest = watchedAtMost(this.#scenario) - this.#scenario.watchSeconds;
    const further = this.#silentSinceLimit ? rest : 0;
    this.#timer = setTimeout(() => this.stop('watched'), 1000 * further);
  }
}

export interface StartEquipment {
  readonly words: readonly [string, ...string[]];
  readonly host: string;
  /** The base address of a service at this port, under this prefix, for the client. */
  readonly targetAt: (port: number, prefix: string) => string;
  readonly env: NodeJS.ProcessEnv;
  /** Marks the processes of the run. */
  readonly mark: string;
  readonly watchdog: Watchdog;
  readonly nextNumber: () => number;
  readonly record: (line: ClientJournalLine) => void;
  /** Ends the start; its client is then recorded as interrupted. */
  readonly signal: AbortSignal;
  readonly firstRequestSeconds: number;
}

export interface PlayedStart {
  readonly how: ClientExit;
  readonly requests: number;
  readonly output: string;
  /** What the client spoke instead of HTTP/1.1; undefined where it did not. */
  readonly spoke: OtherProtocol | undefined;
}

/** Requests that a client sent just before it ended may still be unread, in milliseconds. */
const UNREAD_MS = 50;

/** Starts the client once, with a service of its own, and records what happens until it ends or is ended. */
export async function playStart(planned: PlannedScenario, equipment: StartEquipment): Promise<PlayedStart> {
  const { start, scenario, repetition, played } = planned;
  const { record, signal } = equipment;
  const watch = new StartWatch(played, equipment.firstRequestSeconds, signal);
  const key = freshKey();
  const prefix = freshPrefix();
  let requests = 0;
  let spoke: OtherProtocol | undefined;
  const service = await startScriptedService({
    scenario: played,
    start,
    key,
    prefix,
    host: equipment.host,
    port: 0,
    nextNumber: equipment.nextNumber,
    onExcess: () => watch.stop('too-many-requests'),
    onOtherProtocol: (protocol) => {
      spoke = protocol;
    },
    record: (line) => {
      if (line.kind === 'arrival' && isFromClient(line, prefix)) {
        requests += 1;
        watch.requestArrived();
      }
      if (line.kind === 'response' && line.status === 429) watch.limited();
      record(line);
    },
  });
  record({ kind: 'start', start, scenario, repetition, prefix, at: now() });
  const target = equipment.targetAt(service.port, prefix);
  const client = launch(planned, { target, key }, equipment, watch);
  const how = await Promise.race([watch.stopped, client.ended]);
  if (how.kind !== 'stopped') await delay(UNREAD_MS);
  const ending = { start, at: now(), how };
  watch.close();
  const [{ found, unended }] = await Promise.all([client.end(), service.close()]);
  if (client.group !== undefined && unended.length === 0) equipment.watchdog.forget(client.group);
  const output = client.output(keyRedactor(key));
  const lived = how.kind === 'stopped' ? unended : found;
  const names = [...new Set(lived.map(({ name }) => name))];
  record({ kind: 'exit', ...ending, output, ...(names.length === 0 ? {} : { leftBehind: names }) });
  return { how, requests, output, spoke };
}

function launch(
  { start, played }: PlannedScenario,
  given: { readonly target: string; readonly key: string },
  equipment: StartEquipment,
  watch: StartWatch,
): ClientProcess {
  const mark = `${equipment.mark}-${start}.`;
  const client = startClient({
    words: equipment.words,
    env: clientEnvironment({ ...given, work: played.work, timeZone: played.timeZone, mark }, equipment.env),
    mark,
    onTooMuchOutput: () => watch.stop('too-much-output'),
  });
  if (client.group !== undefined) equipment.watchdog.watch(client.group);
  return client;
}
