/** The file that is read from the current folder where `--config` names no other. */
export const CONFIG_FILE = 'petstore-conformance.json';

/** A configuration file that keeps its schema: the entries that are no options, and the others as they stand there. */
export interface Config {
  readonly target?: string;
  readonly targets?: Readonly<Record<string, ConfiguredTarget>>;
  readonly [entry: string]: unknown;
}

/** A service of a configuration file. */
export interface ConfiguredTarget {
  readonly url: string;
  /** The host of `url` once more, or false: load must not use this target. */
  readonly allowLoad?: string | false;
  readonly [entry: string]: unknown;
}
