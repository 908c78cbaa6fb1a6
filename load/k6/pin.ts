import { readFileSync } from 'node:fs';

/** Which k6 is installed where none is found: `pin.json`, read once. */
export interface Pin {
  readonly version: string;
  /** Import path of the main package, for a build from source. */
  readonly module: string;
  /** The oldest Go that builds it, as `major.minor`. */
  readonly goVersion: string;
  /** Archives of the release by platform and processor, in the words of Node. */
  readonly archives: Readonly<Record<string, { readonly file: string; readonly sha256: string }>>;
}

/** The pin of this project. */
export const pin: Pin = JSON.parse(readFileSync(new URL('./pin.json', import.meta.url), 'utf8'));
