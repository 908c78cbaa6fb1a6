import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Told } from './samples.ts';
import { SampleReader } from './samples.ts';

/** The raw samples of a run in its folder: as k6 writes them, and compressed once the run is over. */
export const SAMPLES_FILE = 'samples.ndjson';
export const KEPT_SAMPLES_FILE = `${SAMPLES_FILE}.gz`;

const BUFFER_BYTES = 1 << 20;

/** Reads a file while another process writes it. */
export class GrowingFile {
  readonly #path: string;
  readonly #reader: SampleReader;
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);
  #file: FileHandle | undefined;
  #position = 0;

  constructor(path: string, reader: SampleReader) {
    this.#path = path;
    this.#reader = reader;
  }

  /** Reads all that was written since the last time; nothing where the file is not there yet. */
  async catchUp(): Promise<void> {
    if (this.#file === undefined && !existsSync(this.#path)) return;
    this.#file ??= await open(this.#path, 'r');
    for (;;) {
      const { bytesRead } = await this.#file.read(this.#buffer, 0, BUFFER_BYTES, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      this.#reader.take(this.#buffer.subarray(0, bytesRead));
    }
  }

  /** Reads the rest and lets go of the file. */
  async close(): Promise<void> {
    try {
      await this.catchUp();
    } finally {
      await this.#file?.close();
    }
    this.#reader.end();
  }
}

/**
 * Reads the samples of a run that has ended out of its folder, compressed or not.
 * @throws {Error} of Node when there are none, or they cannot be read.
 */
export async function readSamples(folder: string, observe?: (told: Told) => void): Promise<SampleReader> {
  const reader = new SampleReader(observe);
  const kept = join(folder, KEPT_SAMPLES_FILE);
  const compressed = existsSync(kept);
  const file = createReadStream(compressed ? kept : join(folder, SAMPLES_FILE));
  const take = async (bytes: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of bytes) reader.take(piece);
  };
  if (compressed) await pipeline(file, createGunzip(), take);
  else await pipeline(file, take);
  reader.end();
  return reader;
}

/**
 * Compresses the samples of a folder, where there are any, and takes the raw file away once that is done.
 * @throws {Error} of Node when that fails; the raw file is kept then, and nothing else.
 */
export async function compressSamples(folder: string): Promise<void> {
  const raw = join(folder, SAMPLES_FILE);
  if (!existsSync(raw)) return;
  const kept = join(folder, KEPT_SAMPLES_FILE);
  try {
    await pipeline(createReadStream(raw), createGzip({ level: 6 }), createWriteStream(kept));
  } catch (error) {
    await rm(kept, { force: true });
    throw error;
  }
  await rm(raw);
}
