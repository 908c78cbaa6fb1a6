/**
 * How much a requirement binds.
 * `MUST`: the specification states it, or it follows under every reading; a violation fails the target.
 * A standard header that the specification requires has the syntax of its standard, so a value that the
 * standard cannot parse is such a violation: nothing else says how to read it.
 * `SHOULD`: HTTP requires it, or it is the stricter of two plausible readings; a violation warns, and fails under `--strict`.
 * `OBSERVE`: the specification leaves it open ("not shown", or no sentence at all); it is recorded and never changes the outcome.
 * A value that is malformed by its own standard gets a warning.
 */
export type Level = 'MUST' | 'SHOULD' | 'OBSERVE';

/** Where a requirement comes from. */
export interface Source {
  /** Heading in `interface-specification.md`, as the slug by which a link reaches it. */
  readonly section: string;
  /** The words of that section, to the letter, on which the requirement rests. */
  readonly quote: string;
  /** The standard that the requirement also rests on, such as `RFC 9110 §11.6.1`. */
  readonly rfc?: string;
}

/** One row of the register as it is written down. */
export interface Statement {
  /** Permanent: never renumbered, never reused. */
  readonly id: string;
  readonly chapter: string;
  readonly level: Level;
  /** What is required, in one sentence, with Markdown code spans. */
  readonly sentence: string;
  readonly from: Source;
  /** The command that tests it: `certify` tests services, `certify-client` tests clients. */
  readonly judged: 'by certify' | 'by certify-client';
}

/** What load runs are judged by, in the same words. */
export interface LoadStatement extends Omit<Statement, 'from' | 'judged'> {
  readonly level: 'MUST';
  /** Absent where it rests on no sentence of the specification. */
  readonly from?: Source;
  readonly judged: 'by load';
}
