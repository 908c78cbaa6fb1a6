import { once } from 'node:events';
import type { Product } from '../../../kernel/basics/product.ts';
import { now } from '../../../kernel/recording/line-file.ts';
import type { ClientHost, ClientJournalLine } from '../model/journal.ts';
import { attachedClient } from '../scenarios/index.ts';
import { startScriptedService } from '../service/scripted-service.ts';
import type { SpecificationName } from './journal-reader.ts';
import { endLine, headLine } from './journal-reader.ts';
import type { ClientRecording } from './record-client.ts';
import { ClientRecorder } from './record-client.ts';

/** A scripted service for a client that a person attaches to it. */
export interface AttachedSettings {
  readonly where: ClientHost;
  readonly spec: SpecificationName;
  /** What the user stated about the product under test. */
  readonly product: Product | undefined;
  readonly key: string;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Called when the service listens, with its port. */
  readonly onListening: (port: number) => void;
}

/** A client that works by itself may send more than one that is started for a scenario. */
const BOUNDS = { inAll: 10_000, inASecond: 100 };

/**
 * Serves a client that a person attaches, until the signal aborts or the client exceeds the bounds, and records it.
 * @returns how many requests arrived.
 * @throws {JournalError} when the journal cannot be written.
 * @throws {UserError} when the service cannot listen at the address.
 */
export async function recordAttached(
  { where, spec, product, key, host, port, onListening }: AttachedSettings,
  { path, observe, signal }: ClientRecording,
): Promise<number> {
  const recorder = new ClientRecorder(path, observe);
  const record = (line: ClientJournalLine): void => recorder.record(line);
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
  const any = AbortSignal.any([signal, excess.signal, recorder.failed]);
  if (!any.aborted) await once(any, 'abort');
  await service.close();
  const because = excess.signal.aborted ? 'too-many-requests' : 'watched';
  record({ kind: 'exit', start: planned.start, at: now(), how: { kind: 'stopped', because }, output: '' });
  record(endLine('finished', 'The user ended it.'));
  recorder.close();
  return requests;
}
