import type { Framework } from '../frameworks.ts';

/** How to fix a cause: one or two sentences with Markdown code spans, true of the framework as shipped. */
export interface Fix {
  readonly text: string;
  /** Whether an app with the fault fails and the same app with this fix passes (`evaluation/third-party/fixes.ts`). */
  readonly proven: boolean;
}

/** The fixes of one cause, in any framework and in certain ones. */
export type Fixes = {
  /** When they apply, as a clause that begins with "where". */
  readonly where: string;
  readonly inGeneral: Fix;
} & Readonly<Partial<Record<Framework, Fix>>>;

/** A fix with a pair of apps that shows it. */
export const proven = (text: string): Fix => ({ text, proven: true });

/** A fix that no pair of apps shows. */
export const untested = (text: string): Fix => ({ text, proven: false });

/** The body of an error, in words. */
export const ERROR = '`{ code, message, status }`';
