export type Taker =
  | 'certify'
  | 'certify-client'
  | 'load'
  | 'load manifest'
  | 'judge'
  | 'watch'
  | 'serve'
  | 'playwright'
  | 'library';

/** The groups of a help text, in its order. */
export const GROUPS = {
  target: 'Target and key:',
  keys: 'Further keys:',
  evidence: 'Evidence:',
  permission: 'Permission:',
  sent: 'What is sent:',
  client: 'Client:',
  part: 'A part of the requirements:',
  result: 'Result:',
  bundled: 'Bundled server, where no target is named:',
  other: 'Options:',
} as const;

/** What the values of an option are. `takes` is the placeholder of a help text, where the kind has none of its own. */
type Kind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'text'; readonly takes: string }
  /** A path; in a configuration file, relative to its folder. */
  | { readonly kind: 'file' | 'folder' }
  | { readonly kind: 'address or path'; readonly takes: string }
  /** The name of an environment variable that holds a key. */
  | { readonly kind: 'variable' }
  | ({ readonly kind: 'number'; readonly takes: string } & NumberRange)
  | { readonly kind: 'choice'; readonly takes: string; readonly choices: readonly string[] }
  /** May be given more than once. */
  | { readonly kind: 'list'; readonly takes: string }
  /** Names and values with a sign in between: `PLAN=VAR`, where the value names a variable, or `Name: value`. */
  | { readonly kind: 'pairs'; readonly takes: string; readonly between: '=' | ': ' }
  /** A command and its arguments, which a command line has after `--`. */
  | { readonly kind: 'words' }
  /** What is stated about the product under test, part by part. */
  | { readonly kind: 'product' };

/** The whole numbers that an option takes, both ends included, and what they count. */
export interface NumberRange {
  /** 1 where it is absent. */
  readonly least?: number;
  readonly most: number;
  /** `milliseconds`. */
  readonly unit?: string;
}

/** Everything that is stated about one option; the interfaces are made of it. */
export type Row = RowOfTaker & { readonly takers: readonly Taker[] };

/** The same where the table says who takes its rows. */
export type RowOfTaker = Kind & {
  readonly group: keyof typeof GROUPS;
  /** What it does, for help texts, the schema of the configuration file and documents. */
  readonly sentence: string;
  /** The same for takers that need other words. */
  readonly sentences?: { readonly [Name in Taker]?: string };
  readonly takers?: readonly Taker[];
  /** Those of the takers whose first help text has it; the others stand in `--help-all`. */
  readonly first?: readonly Taker[];
  /** Those of them that do not work without it. */
  readonly requiredBy?: readonly Taker[];
  /** The flag of the command, without dashes, where it is not the name of the option. */
  readonly flag?: string;
  /** The variable of Playwright, where it is not made of the name; for a key, the variable that holds it. */
  readonly variable?: string;
  /** The variable with a key that every interface reads where no option names another. */
  readonly usual?: string;
  readonly preset?: string;
  /** The choices of takers that have fewer of them. */
  readonly fewer?: { readonly [Name in Taker]?: readonly string[] };
  /** Where the configuration file has it: in a target, in the section of a command, or on its own. */
  readonly file?: readonly string[];
  /** What stands there in place of a path: the contents of the file. */
  readonly contents?: 'thresholds';
  /** What switches it off, as `--no-…`: the sentence of that flag. */
  readonly off?: string;
  /** Options that state the same in other words, or that it cannot be combined with: an entry of a lower layer gives way to them. */
  readonly rivals?: readonly string[];
  /** It has an effect with a target alone, as further keys have. */
  readonly scope?: 'target';
  /** The load profiles that it has an effect on. */
  readonly profiles?: readonly string[];
};

/** Whether an option has an effect with a target alone, or with the bundled server alone. */
export const scopeOf = ({ scope, group }: Row): 'target' | 'bundled' | undefined =>
  group === 'bundled' ? group : (scope ?? (group === 'keys' ? 'target' : undefined));

const PLACEHOLDERS: { readonly [K in Row['kind']]?: string } = {
  file: 'file',
  folder: 'dir',
  variable: 'var',
};

/** The placeholder of an option; undefined for a switch. */
export const placeholderOf = (row: Row): string | undefined =>
  'takes' in row ? row.takes : PLACEHOLDERS[row.kind];

/** Rows that this taker has alone, but for those that name others. */
export const takenBy = <T extends Taker, Rows extends Readonly<Record<string, RowOfTaker>>>(
  taker: T,
  rows: Rows,
) =>
  Object.fromEntries(
    Object.entries<RowOfTaker>(rows).map(([name, row]) => [name, { takers: [taker], ...row }]),
  ) as unknown as {
    readonly [N in keyof Rows]: Rows[N] extends { readonly takers: readonly Taker[] }
      ? Rows[N]
      : Rows[N] & { readonly takers: readonly [T] };
  };
