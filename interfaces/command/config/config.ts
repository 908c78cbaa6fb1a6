/** The file that is read from the current folder where `--config` names no other. */
export const CONFIG_FILE = 'petstore-conformance.json';

/** A configuration file, in the words of `config.schema.json`. */
export interface Config {
  readonly target?: string;
  readonly targets?: Readonly<Record<string, ConfiguredTarget>>;
  readonly certify?: {
    readonly only?: readonly string[];
    readonly skip?: readonly string[];
    readonly quick?: boolean;
    readonly thorough?: boolean;
    readonly strict?: boolean;
    readonly out?: string;
  };
  readonly load?: {
    readonly latencyMs?: number;
    readonly useFullDay?: boolean;
    readonly out?: string;
  };
  readonly thresholds?: readonly object[];
  readonly 'certify-client'?: {
    readonly command?: readonly string[];
    readonly only?: readonly string[];
    readonly long?: boolean;
    readonly jobs?: number;
    readonly seconds?: number;
    readonly strict?: boolean;
    readonly out?: string;
  };
}

/** A service of a configuration file. */
export interface ConfiguredTarget {
  readonly url: string;
  readonly plan?: string;
  readonly plans?: string;
  readonly keys?: {
    readonly key?: string;
    readonly other?: string;
    readonly exhausted?: string;
    readonly disposable?: string;
    readonly fleet?: string;
    readonly plans?: Readonly<Record<string, string>>;
  };
  readonly exclusiveKey?: boolean;
  readonly namePattern?: string;
  readonly openapi?: string;
  readonly baseline?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly certKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secretHeaders?: Readonly<Record<string, string>>;
  /** The host of `url` once more, or false: load must not use this target. */
  readonly allowLoad?: string | false;
}
