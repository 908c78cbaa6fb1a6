import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGzip } from 'node:zlib';
import type { Sample, ScenarioEvent } from '../model/sample.ts';
import { sampleShape, scenarioEvent } from '../model/sample.ts';
import type { KeyArrival } from './load-ending.ts';

/** One record of a scenario, read from one line of k6's samples. Only a sample has an outcome. */
export type ScenarioRecord = Sample | ScenarioEvent;

/** Reads what the script recorded, one JSON value per line, in pieces of any size, since the file still grows. Damage is judged afterwards. */
export class SampleReader {
  /** What arrived so far. Samples are not kept: a run may have millions. */
  readonly keys = new Map<string, KeyArrival>();
  readonly #decoder = new StringDecoder('utf8');
  readonly #observe: (record: ScenarioRecord) => void;
  #rest = '';

  /** @param observe is called with each record as it is read. */
  constructor(observe: (record: ScenarioRecord) => void = () => undefined) {
    this.#observe = observe;
  }

  push(bytes: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(bytes)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const record of lines.flatMap((line) => recordIn(line) ?? [])) this.#add(record);
  }

  #add(record: ScenarioRecord): void {
    const { recorded, end } = this.keys.get(record.key) ?? { recorded: 0, end: undefined };
    if ('outcome' in record) this.keys.set(record.key, { recorded: recorded + 1, end });
    else if (record.kind !== 'waiting') this.keys.set(record.key, { recorded, end: end ?? record });
    this.#observe(record);
  }
}

/** The record that a line of the script holds; undefined where it holds none. */
export function recordIn(line: string): ScenarioRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    if (sampleShape.is(record)) return record;
    return scenarioEvent.is(record) && !('outcome' in record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** The raw samples in the folder of a run, as k6 writes them. */
export const SAMPLES_FILE = 'samples.ndjson';
/** The same, compressed after the run. */
export const COMPRESSED_SAMPLES_FILE = `${SAMPLES_FILE}.gz`;

const BUFFER_BYTES = 1 << 20;

export function growingFile(path: string, reader: SampleReader) {
  const buffer = Buffer.alloc(BUFFER_BYTES);
  let file: FileHandle | undefined;
  let position = 0;
  /** Reads what was written since the last call; nothing where the file does not exist yet. */
  const readNew = async (): Promise<void> => {
    if (file === undefined && !existsSync(path)) return;
    file ??= await open(path, 'r');
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, BUFFER_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      reader.push(buffer.subarray(0, bytesRead));
    }
  };
  return {
    readNew,
    async close(): Promise<void> {
      try {
        await readNew();
      } finally {
        await file?.close();
      }
    },
  };
}

/**
 * Compresses the samples of a folder, if it has any, and then removes the raw file; only that remains where it fails.
 */
export async function compressSamples(folder: string): Promise<void> {
  const raw = join(folder, SAMPLES_FILE);
  if (!existsSync(raw)) return;
  const compressed = join(folder, COMPRESSED_SAMPLES_FILE);
  try {
    await pipeline(createReadStream(raw), createGzip({ level: 6 }), createWriteStream(compressed));
  } catch (error) {
    await rm(compressed, { force: true });
    throw error;
  }
  await rm(raw);
}
