/** A folder with a purpose of its own, and the folders that it may import from. */
export interface Folder {
  /** Relative to the root of the project, for example `suites/service/wire`. */
  readonly path: string;
  /** What is in it, in one sentence for the tables of the documents. */
  readonly contains: string;
  /** The folders it may import from; a folder covers its sub-folders unless one of them is listed itself. */
  readonly imports: 'all folders' | readonly string[];
  /** Whether the folder that it lies in must not import from it. */
  readonly unknownAbove?: true;
  /** Why it may not import from others, as the end of a message: "because …". */
  readonly because: string;
  /** `pure`: no network, no files, no clock, no environment. */
  readonly effects: 'pure' | 'any';
}

/** The nouns that every folder may use. */
export const nouns = ['kernel/basics', 'spec', 'kernel/exchanges'] as const;

/** The nouns, and the arithmetic of rate limits. */
export const withLimits = [...nouns, 'kernel/rate-limits'] as const;
