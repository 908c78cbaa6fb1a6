/** A secret and the name that replaces it. */
export interface Secret {
  readonly value: string;
  readonly name: string;
}

/** A secret to find, not empty, and where it counts. */
export interface Sought {
  readonly value: string;
  /** Whether it counts only where no letter, digit, underscore or hyphen follows. */
  readonly alone: boolean;
  /** Whether it may begin at this place of a text, by the text before it. */
  readonly mayBegin: (text: string, place: number) => boolean;
}

/** The code points of a text. */
export const codePointsOf = (text: string): readonly number[] =>
  [...text].map((one) => one.codePointAt(0) ?? 0);
