import type { ProductNames } from '../../../kernel/basics/product.ts';

/** The inputs that say where a key is found. */
type KeyOption = 'apiKeyEnv' | 'apiKeyFile' | 'otherKeyEnv' | 'exhaustedKeyEnv' | 'disposableKeyEnv';

/** What a user calls each input, so that an error names the option or the variable to correct. */
export interface InputNames {
  readonly target: string;
  readonly certificateAuthority: string;
  readonly cert: string;
  readonly certKey: string;
  readonly headers: string;
  readonly openapi: string;
  readonly namePattern: string;
  readonly spendDay: string;
  readonly product: ProductNames;
  readonly thorough: string;
  readonly only: string;
  readonly skip: string;
  readonly quick: string;
}

/** The same with the inputs that say where keys and secret headers are found: a program has them already. */
export interface NamesWithKeys extends InputNames {
  readonly headerEnv: string;
  readonly planKey: string;
  /** What names the variable or the file with a key. */
  readonly keyOptions: Readonly<Record<KeyOption, string>>;
  /** Where the key can be given instead of in `PETSTORE_API_KEY`, as the end of a sentence. */
  readonly otherKeyPlaces: string;
  /** The variables that are read where the user names no other one; undefined where none is read. */
  readonly keyVariables: {
    readonly other: string;
    readonly exhausted: string | undefined;
    readonly disposable: string | undefined;
  };
}

/** The variable with the key under test, in both faces. */
export const KEY_VARIABLE = 'PETSTORE_API_KEY';

/** The variable with the key of another caller, in both faces. */
export const OTHER_KEY_VARIABLE = 'PETSTORE_OTHER_KEY';

/** The options of the command. */
export const COMMAND_LINE: NamesWithKeys = {
  target: '--target',
  certificateAuthority: '--ca',
  cert: '--cert',
  certKey: '--cert-key',
  headerEnv: '--header-env',
  headers: '--header',
  openapi: '--openapi',
  namePattern: '--name-pattern',
  planKey: '--plan-key',
  spendDay: '--spend-day',
  product: {
    name: '--product',
    vendor: '--vendor',
    version: '--product-version',
    configuration: '--product-configuration',
  },
  thorough: '--thorough',
  only: '--only',
  skip: '--skip',
  quick: '--quick',
  keyOptions: {
    apiKeyEnv: '--api-key-env',
    apiKeyFile: '--api-key-file',
    otherKeyEnv: '--other-key-env',
    exhaustedKeyEnv: '--exhausted-key-env',
    disposableKeyEnv: '--disposable-key-env',
  },
  otherKeyPlaces: 'name another variable with --api-key-env, or name a file with --api-key-file',
  // The exhausted and the disposable key change what a run does to them, so the command wants them named.
  keyVariables: { other: OTHER_KEY_VARIABLE, exhausted: undefined, disposable: undefined },
};

/** The environment variables of the Playwright face, which has no command line of its own, and its options for keys. */
export const ENVIRONMENT: NamesWithKeys = {
  target: 'PETSTORE_TARGET',
  certificateAuthority: 'PETSTORE_CA_FILE',
  cert: 'PETSTORE_CERT_FILE',
  certKey: 'PETSTORE_CERT_KEY_FILE',
  headerEnv: 'PETSTORE_HEADER_ENV',
  headers: 'PETSTORE_HEADERS',
  openapi: 'PETSTORE_OPENAPI',
  namePattern: 'PETSTORE_NAME_PATTERN',
  planKey: 'PETSTORE_PLAN_KEYS',
  spendDay: 'PETSTORE_SPEND_DAY',
  product: {
    name: 'PETSTORE_PRODUCT',
    vendor: 'PETSTORE_VENDOR',
    version: 'PETSTORE_PRODUCT_VERSION',
    configuration: 'PETSTORE_PRODUCT_CONFIGURATION',
  },
  thorough: 'PETSTORE_THOROUGH',
  only: 'PETSTORE_ONLY',
  skip: 'PETSTORE_SKIP',
  quick: 'PETSTORE_QUICK',
  keyOptions: {
    apiKeyEnv: 'petstore.apiKeyEnv',
    apiKeyFile: 'petstore.apiKeyFile',
    otherKeyEnv: 'petstore.otherKeyEnv',
    exhaustedKeyEnv: 'petstore.exhaustedKeyEnv',
    disposableKeyEnv: 'petstore.disposableKeyEnv',
  },
  otherKeyPlaces: 'name a file in PETSTORE_API_KEY_FILE',
  keyVariables: {
    other: OTHER_KEY_VARIABLE,
    exhausted: 'PETSTORE_SPENT_KEY',
    disposable: 'PETSTORE_SACRIFICIAL_KEY',
  },
};

/** The options of the library, whose caller has the keys already. */
export const LIBRARY: InputNames = {
  target: 'target',
  certificateAuthority: 'certificateAuthority',
  cert: 'cert',
  certKey: 'certKey',
  headers: 'headers',
  openapi: 'openapi',
  namePattern: 'namePattern',
  spendDay: 'spendDay',
  product: {
    name: 'product.name',
    vendor: 'product.vendor',
    version: 'product.version',
    configuration: 'product.configuration',
  },
  thorough: 'thorough',
  only: 'only',
  skip: 'skip',
  quick: 'quick',
};
