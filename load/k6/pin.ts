import { readFileSync } from 'node:fs';

/** The k6 that is installed where none is found: the content of `pin.json`. */
export interface K6Pin {
  readonly version: string;
  /** Import path of the main package, for a build from source. */
  readonly module: string;
  /** The oldest Go that builds it, as `major.minor`. */
  readonly goVersion: string;
  /** Archives of the release by platform and processor, in the words of Node. */
  readonly archives: Readonly<Record<string, { readonly file: string; readonly sha256: string }>>;
}

/** The k6 that this project pins. */
export const k6Pin: K6Pin = JSON.parse(readFileSync(new URL('./pin.json', import.meta.url), 'utf8'));
