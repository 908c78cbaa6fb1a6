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

/** One row of the register. */
export interface Statement {
  /** Permanent: never renumbered, never reused. */
  readonly id: string;
  readonly chapter: string;
  readonly level: Level;
  /** What is required, in one sentence, with Markdown code spans. */
  readonly sentence: string;
  /** Absent where an expectation of load rests on no sentence of the specification. */
  readonly from?: Source;
  /** The command that tests it: `certify` tests services, `certify-client` tests clients. */
  readonly judged: 'by certify' | 'by certify-client' | 'by load';
}

/** Words of a section of the specification. */
export const quote = (section: string, words: string): Source => ({ section, quote: words });

/** The rows of a chapter, by their level. The digest of the specification covers their fields in this order. */
export function chapter<const J extends Statement['judged']>(name: string, judged: J) {
  const rowOf =
    <const L extends Level>(level: L) =>
    <const Id extends string>(id: Id, sentence: string, words: Source, rfc?: string) => {
      const from = rfc === undefined ? words : { ...words, rfc };
      return { id, chapter: name, level, sentence, from, judged };
    };
  return { must: rowOf('MUST'), should: rowOf('SHOULD'), observe: rowOf('OBSERVE') };
}
