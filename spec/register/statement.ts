/**
 * How much a requirement binds. `MUST`: the specification states it, or it follows under every reading, the syntax of
 * a standard header included; a violation fails. `SHOULD`: HTTP requires it, or it is the stricter of two readings; a
 * violation warns, and fails under `--strict`. `OBSERVE`: the specification leaves it open; it is recorded and changes
 * no outcome.
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
