import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { SampleReader } from './samples.ts';

/** The raw samples in the folder of a run, as k6 writes them. */
export const SAMPLES_FILE = 'samples.ndjson';
/** The same, compressed after the run. */
export const COMPRESSED_SAMPLES_FILE = `${SAMPLES_FILE}.gz`;

const BUFFER_BYTES = 1 << 20;

/** Reads a file of samples while another process writes it. */
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

  /** Reads what was written since the last call; nothing where the file does not exist yet. */
  async readNew(): Promise<void> {
    if (this.#file === undefined && !existsSync(this.#path)) return;
    this.#file ??= await open(this.#path, 'r');
    for (;;) {
      const { bytesRead } = await this.#file.read(this.#buffer, 0, BUFFER_BYTES, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      this.#reader.push(this.#buffer.subarray(0, bytesRead));
    }
  }

  /** Reads the rest and closes the file. */
  async close(): Promise<void> {
    try {
      await this.readNew();
    } finally {
      await this.#file?.close();
    }
    this.#reader.end();
  }
}

/**
 * Compresses the samples of a folder, if it has any, and then removes the raw file.
 * @throws {Error} of Node when that fails; only the raw file remains then.
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
