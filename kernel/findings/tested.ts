/** What a partial run was limited to. */
export interface Selection {
  /** `selected`: requirements that the user chose. `quick`: what needs no 429, with few requests. */
  readonly kind: 'selected' | 'quick';
  /** Ids of the register, in its order. Everything else is not judged. */
  readonly requirements: readonly string[];
}

/** A service under test. */
export interface TestedTarget {
  readonly baseUrl: string;
  readonly plan: string;
  /** It is the server that comes with this program, so nothing of another was tested. */
  readonly bundled?: true;
}
