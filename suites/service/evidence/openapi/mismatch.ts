/** One way in which a published interface description differs from the specification. */
export interface Mismatch {
  /** `doubt`: one plausible reading allows it. `unclear`: undecided, because a document was not read. */
  readonly kind: 'violation' | 'doubt' | 'unclear';
  /** A clause without a full stop, such as `GET /categories is not described`. */
  readonly text: string;
}

/** The description contradicts the specification. */
export const violating = (text: string): Mismatch => ({ kind: 'violation', text });
/** The description contradicts one plausible reading of the specification. */
export const doubtful = (text: string): Mismatch => ({ kind: 'doubt', text });
/** A part that decides the question was not read. */
export const unreadable = (text: string): Mismatch => ({ kind: 'unclear', text });
