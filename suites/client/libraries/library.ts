/** An HTTP library, and the fix for a client that uses it. */
export interface ClientLibrary {
  /** Kebab case, permanent. */
  readonly id: string;
  readonly name: string;
  /**
   * The beginning of the User-Agent that it sends unless it is given another one, up to its version; null for a library
   * that sends none of its own, because it repeats the requests of another one.
   */
  readonly userAgent: string | null;
  /** The version that `fix` is proven for, by a configured program that conforms. */
  readonly version: string;
  /** The fix, in one to three sentences. What stands in backticks occurs in the configured program. */
  readonly fix: string;
}
