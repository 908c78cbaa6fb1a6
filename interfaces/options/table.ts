import type { Product } from '../../kernel/basics/product.ts';
import type { HeaderLine } from '../../kernel/exchanges/exchange.ts';
import type { Plans } from '../../spec/plans.ts';
import { clientRows, manifestRows, resultRows, serveRows } from './client-rows.ts';
import { loadRows } from './load-rows.ts';
import type { Row, Taker } from './row.ts';
import { certifyRows, targetRows } from './service-rows.ts';

/**
 * Every option, in the order of help texts. The options of the commands, the variables, the configuration file with its
 * schema, the options of Playwright and of the library, and the tables of the documents are made of these rows.
 */
const rows = {
  ...targetRows,
  ...loadRows,
  ...certifyRows,
  ...clientRows,
  ...manifestRows,
  ...resultRows,
  ...serveRows,
} as const;

type Rows = typeof rows;

/** The name of an option in code, in the configuration file and for programs. */
export type OptionName = keyof Rows;

export const options: Readonly<Record<OptionName, Row>> = rows;

export const OPTION_NAMES = Object.keys(rows) as readonly OptionName[];

export const optionsOf = (taker: Taker): readonly OptionName[] =>
  OPTION_NAMES.filter((name) => options[name].takers.includes(taker));

type NamesOf<T extends Taker> = {
  [N in OptionName]: T extends Rows[N]['takers'][number] ? N : never;
}[OptionName];

/** The value of an option as every interface hands it on. */
type ValueOf<R extends Row> = R extends { readonly kind: 'switch' }
  ? boolean
  : R extends { readonly kind: 'number' }
    ? number
    : R extends { readonly kind: 'list' | 'pairs' | 'words' }
      ? readonly string[]
      : R extends { readonly kind: 'product' }
        ? Product
        : R extends { readonly choices: readonly (infer Choice)[] }
          ? Choice
          : R extends { readonly off: string }
            ? string | false
            : string;

/** Options that a taker always has, because they are preset or required. */
type Certain<T extends Taker> = {
  [N in NamesOf<T>]: Rows[N] extends { readonly preset: string }
    ? N
    : Rows[N] extends { readonly requiredBy: readonly (infer R)[] }
      ? T extends R
        ? N
        : never
      : never;
}[NamesOf<T>];

/** The options of a command, as its action gets them. */
export type CommandOptions<T extends Taker> = {
  readonly [N in Exclude<NamesOf<T>, Certain<T>>]?: ValueOf<Rows[N]>;
} & { readonly [N in Certain<T>]: ValueOf<Rows[N]> };

export type OptionValues = {
  readonly [N in OptionName]?: N extends 'plans' ? string | Plans : ValueOf<Rows[N]>;
};

type GivenValue<N extends OptionName, Pairs> = N extends 'plans'
  ? string | Plans
  : Rows[N] extends { readonly kind: 'list' }
    ? string | readonly string[]
    : Rows[N] extends { readonly kind: 'pairs' }
      ? Pairs
      : ValueOf<Rows[N]>;

/** The options of the library that the command has as well. Its caller has the keys, so nothing names where they are. */
export type LibraryOptions = {
  readonly [N in NamesOf<'library'>]?: GivenValue<N, readonly HeaderLine[]>;
};

/**
 * The options of `conformance()` and of `use: { petstore: … }` in a Playwright configuration. Keys are given by the
 * names of environment variables, because Playwright shows a configuration in its reports.
 */
export type PetstoreOptions = {
  readonly [N in NamesOf<'playwright'>]?: GivenValue<N, Readonly<Record<string, string>>>;
};
