import type { RequirementId } from '../../../spec/register.ts';

export type ClientRequirementId = Extract<RequirementId, `CLIENT-${string}`>;

export type RetryAfter =
  | { readonly form: 'seconds'; readonly seconds: number }
  /** An HTTP-date on a whole second, at least this far ahead (seconds). */
  | { readonly form: 'date'; readonly seconds: number }
  /** None, and no X-RateLimit-Reset either: the one exception from the specification, stated by the scenario. */
  | { readonly form: 'absent' };

export type Reply =
  /** What the specification says of a good request: 200, 201, or 400 and 401 where the request deserves it. */
  | { readonly kind: 'served' }
  | {
      readonly kind: 'rate-limited';
      readonly retryAfter: RetryAfter;
      /** Seconds after which the response is sent; at once where absent. */
      readonly heldSeconds?: number;
    }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'unauthorized' };

/** What the service responds, from the first request of the scripted operation on; other operations are served. */
export type Script =
  /** These replies in turn, then the last one for ever. */
  | { readonly kind: 'sequence'; readonly replies: readonly [Reply, ...Reply[]] }
  /** These replies over and over. */
  | { readonly kind: 'cycle'; readonly replies: readonly [Reply, ...Reply[]] }
  /**
   * Answers one of `tasks` requests in flight (gathered for at most `gatherSeconds`) with 429, the others with 200 after
   * `holdSeconds` more, and every further request with 429 until `retryAfterSeconds` have passed.
   */
  | {
      readonly kind: 'one-of-several';
      readonly tasks: number;
      readonly gatherSeconds: number;
      readonly retryAfterSeconds: number;
      readonly holdSeconds: number;
    };

/** One situation that a client is put into: what it is given to do, what it is answered, and what that decides. */
export interface Scenario {
  /** Kebab case, permanent. */
  readonly id: string;
  /** What happens, in one sentence for the preview and the reports. */
  readonly description: string;
  readonly decides: readonly ClientRequirementId[];
  /** The work of the client: list calls, creations after them, and the tasks that share them. */
  readonly work: { readonly calls: number; readonly creates: number; readonly concurrency: number };
  /** The operation whose requests take the replies of the script in turn; `any`: both lists and creations. */
  readonly operation: 'any' | 'list' | 'creation';
  readonly script: Script;
  /** How the names of response headers are written: "Field names are case-insensitive" (RFC 9110 §5.1). Absent: as the specification does. */
  readonly headerNames?: 'in lower case';
  /** The value of TZ in the environment of the client; that of this program where absent. */
  readonly timeZone?: string;
  readonly repetitions: number;
  /** How long the client is watched at most, in seconds from its first request. */
  readonly watchSeconds: number;
  /** Instead, in seconds, where it has sent nothing since a 429: a circuit breaker or a timer holds a conforming client back for longer. */
  readonly silentSeconds?: number;
  /** `attached`: for a client that a person has attached, and for no other. `unclear backoff`: where the series show no growth. */
  readonly when: 'always' | 'unclear backoff' | 'thorough' | 'attached';
}
