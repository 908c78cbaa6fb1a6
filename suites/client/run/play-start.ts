import { setTimeout as delay } from 'node:timers/promises';
import { now } from '../../../kernel/recording/line-file.ts';
import type { ClientExit, ClientJournalLine, StopReason } from '../model/journal.ts';
import type { Scenario } from '../model/scenario.ts';
import { isFromClient } from '../model/sender.ts';
import { keyRedactor } from '../service/request-body.ts';
import type { OtherProtocol } from '../service/scripted-service.ts';
import { startScriptedService } from '../service/scripted-service.ts';
import { clientEnvironment, startClient } from './client-process.ts';
import type { PlannedScenario } from './plan.ts';
import { freshKey, freshPrefix, watchedAtMost } from './plan.ts';
import type { Watchdog } from './watchdog.ts';

/** Decides when a start has to end. @param firstRequestSeconds how long the client may take until its first request. */
function watchStart(scenario: Scenario, firstRequestSeconds: number, signal: AbortSignal) {
  let stop: (because: StopReason) => void = () => undefined;
  const stopped = new Promise<Extract<ClientExit, { kind: 'stopped' }>>((resolve) => {
    stop = (because) => resolve({ kind: 'stopped', because });
  });
  const stopAfter = (seconds: number, because: StopReason) => setTimeout(() => stop(because), 1000 * seconds);
  const interrupt = (): void => stop('interrupted');
  let timer = stopAfter(firstRequestSeconds, 'no-request');
  let begun = false;
  let silentSinceLimit = false;
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  return {
    /** How the start was stopped, once it was. */
    stopped,
    stop,
    /** The client is watched from its first request on: a runtime may take a second to start. */
    requestArrived(): void {
      silentSinceLimit = false;
      if (begun) return;
      begun = true;
      clearTimeout(timer);
      timer = setTimeout(() => {
        // A client that may still be waiting gets the rest of its time.
        const rest = watchedAtMost(scenario) - scenario.watchSeconds;
        timer = stopAfter(silentSinceLimit ? rest : 0, 'watched');
      }, 1000 * scenario.watchSeconds);
    },
    /** A 429 is about to be sent. */
    limited(): void {
      silentSinceLimit = true;
    },
    close(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
    },
  };
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

/** Requests that a client sent just before it ended may still be unread, in milliseconds. */
const UNREAD_MS = 50;

/** Starts the client once, with a service of its own, and records what happens until it ends or is ended. */
export async function playStart(planned: PlannedScenario, equipment: StartEquipment) {
  const { start, scenario, repetition, played } = planned;
  const { work, timeZone } = played;
  const { record, signal } = equipment;
  const watch = watchStart(played, equipment.firstRequestSeconds, signal);
  const key = freshKey();
  const prefix = freshPrefix();
  let requests = 0;
  /** What the client spoke instead of HTTP/1.1; undefined where it did not. */
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
  const mark = `${equipment.mark}-${start}.`;
  const client = startClient({
    words: equipment.words,
    env: clientEnvironment({ target, key, work, timeZone, mark }, equipment.env),
    mark,
    onTooMuchOutput: () => watch.stop('too-much-output'),
  });
  if (client.group !== undefined) equipment.watchdog.watch(client.group);
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

export type PlayedStart = Awaited<ReturnType<typeof playStart>>;
