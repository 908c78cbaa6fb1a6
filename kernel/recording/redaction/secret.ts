/** A secret and the name that replaces it. */
export interface Secret {
  readonly value: string;
  readonly name: string;
  /** The name where it does not stand byte for byte; the same name by default. */
  readonly escapedName?: string;
  /** Whether it is an encoded form, which is replaced anywhere, however short. */
  readonly encoded?: boolean;
}

/** A secret to find, not empty, and where it counts. */
export interface Sought {
  readonly value: string;
  /** Whether it counts only where it is no part of a longer word. */
  readonly alone: boolean;
}

/** The code points of a text. */
export const codePointsOf = (text: string): readonly number[] =>
  [...text].map((one) => one.codePointAt(0) ?? 0);
