/** A secret and the name that replaces it. */
export interface Secret {
  readonly value: string;
  readonly name: string;
}
