import { once } from 'node:events';
import type { Product } from '../../../kernel/basics/product.ts';
import { now } from '../../../kernel/recording/line-file.ts';
import type { ClientHost, ClientJournalLine } from '../model/journal.ts';
import { attachedClient, watchedClient } from '../scenarios/index.ts';
import { startScriptedService } from '../service/scripted-service.ts';
import { startProxy } from '../watch/proxy.ts';
import { SeenKeys } from '../watch/recorded-values.ts';
import type { WatchedTraffic } from '../watch/watched-connection.ts';
import type { SpecificationName } from './journal-reader.ts';
import { endLine, headLine } from './journal-reader.ts';
import type { ClientRecorder, ClientRecording } from './record-client.ts';
import { clientRecorder } from './record-client.ts';

/** A client that this program does not start, and where it reaches what records it. */
interface RunningClient {
  readonly where: ClientHost;
  readonly spec: SpecificationName;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Called with the port once something listens there. */
  readonly onListening: (port: number) => void;
}

/** A scripted service for a client that a person attaches to it. */
interface AttachedSettings extends RunningClient {
  readonly product: Product | undefined;
  readonly key: string;
}

/** A client that works by itself may send more than one that is started for a scenario. */
const BOUNDS = { inAll: 10_000, inASecond: 100 };

/** Serves until the signal aborts or the client exceeds the bounds. @returns how many requests arrived. @throws {JournalError | UserError} */
export async function recordAttached(
  { where, spec, product, key, host, port, onListening }: AttachedSettings,
  recording: ClientRecording,
): Promise<number> {
  const recorder = clientRecorder(recording);
  const { record } = recorder;
  const excess = new AbortController();
  let requests = 0;
  const planned = { start: 1, scenario: attachedClient.id, repetition: 1 };
  record(headLine({ kind: 'attached', where }, spec, { starts: [planned] }, product));
  const service = await startScriptedService({
    scenario: attachedClient,
    start: planned.start,
    key,
    // A person types this address, and may give it to several programs.
    prefix: undefined,
    host,
    port,
    bounds: BOUNDS,
    nextNumber: () => {
      requests += 1;
      return requests;
    },
    record,
    onExcess: () => excess.abort(),
  });
  record({ kind: 'start', ...planned, at: now() });
  onListening(service.port);
  const any = AbortSignal.any([recording.signal, excess.signal, recorder.failed]);
  if (!any.aborted) await once(any, 'abort');
  await service.close();
  const because = excess.signal.aborted ? 'too-many-requests' : 'watched';
  record({ kind: 'exit', start: planned.start, at: now(), how: { kind: 'stopped', because }, output: '' });
  record(endLine('finished', 'The user ended it.'));
  recorder.close();
  return requests;
}

interface WatchSettings extends RunningClient {
  readonly target: URL;
  readonly certificateAuthority: string | undefined;
  /** Keys that are known beforehand, so that they are replaced from the first byte. */
  readonly keys: readonly string[];
  /** Called when nothing more can be recorded, with the reason. The traffic goes on: an application may depend on it. */
  readonly onUnrecorded: (reason: unknown) => void;
}

/** A journal of so many requests is some hundred megabytes; the traffic goes on, and what follows is not recorded. */
const MOST_REQUESTS = 100_000;

/** @throws {UserError} when the proxy cannot listen. @throws {JournalError} from the first line on only after the signal. */
export async function recordWatched(
  { target, certificateAuthority, where, spec, keys, host, port, onListening, onUnrecorded }: WatchSettings,
  recording: ClientRecording,
) {
  const recorder = clientRecorder(recording);
  const base = target.pathname.replace(/\/+$/, '');
  const { traffic, finish } = watchJournal(recorder, new SeenKeys(keys), base);
  const shown = target.href.replace(/\/+$/, '');
  recorder.record(headLine({ kind: 'watched', target: shown, where }, spec, { starts: [] }, undefined));
  if (recorder.failed.aborted) recorder.close();
  recorder.failed.addEventListener('abort', () => onUnrecorded(recorder.failed.reason), { once: true });
  const proxy = await startProxy({ target, host, port, certificateAuthority, traffic });
  onListening(proxy.port);
  if (!recording.signal.aborted) await once(recording.signal, 'abort');
  const troubles = { ...proxy.troubles };
  await proxy.close();
  return { requests: finish(), ...troubles };
}

/** The journal of watched traffic: each key begins a start when it is first seen. */
function watchJournal(recorder: ClientRecorder, keys: SeenKeys, base: string) {
  const inFlight = new Map<number, number>();
  let requests = 0;
  const record = (line: ClientJournalLine): void => {
    if (requests <= MOST_REQUESTS || !isTraffic(line)) recorder.record(line);
  };
  const traffic: WatchedTraffic = {
    keys,
    base,
    record,
    nextNumber: () => {
      requests += 1;
      return requests;
    },
    inFlight: (start, change) => {
      const count = inFlight.get(start);
      if (count === undefined)
        record({ kind: 'start', start, scenario: watchedClient.id, repetition: start, at: now() });
      inFlight.set(start, (count ?? 0) + change);
      return (count ?? 0) + change;
    },
  };
  /** Writes the last lines. @returns how many requests there were. @throws what prevented the recording. */
  const finish = (): number => {
    const because = requests > MOST_REQUESTS ? 'too-many-requests' : 'watched';
    for (const start of inFlight.keys())
      record({ kind: 'exit', start, at: now(), how: { kind: 'stopped', because }, output: '' });
    record(endLine('finished', 'the user ended the run'));
    recorder.close();
    return requests;
  };
  return { traffic, finish };
}

const isTraffic = ({ kind }: ClientJournalLine): boolean => kind === 'arrival' || kind === 'response';
