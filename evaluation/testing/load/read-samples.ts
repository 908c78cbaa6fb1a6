import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { COMPRESSED_SAMPLES_FILE, SAMPLES_FILE } from '../../../load/run/sample-files.ts';
import { SampleReader } from '../../../load/run/samples.ts';

/** Reads the samples of a run that has ended from its folder, compressed or not. */
export function readSamples(folder: string): SampleReader {
  const reader = new SampleReader();
  const compressed = join(folder, COMPRESSED_SAMPLES_FILE);
  reader.push(
    existsSync(compressed) ? gunzipSync(readFileSync(compressed)) : readFileSync(join(folder, SAMPLES_FILE)),
  );
  reader.end();
  return reader;
}
