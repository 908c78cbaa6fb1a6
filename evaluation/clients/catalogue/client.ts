/** The requirements that a client is judged by. */
export type ClientRequirement = 'CLIENT-1' | 'CLIENT-2' | 'CLIENT-3' | 'CLIENT-4';

/** What a client is advised of where no sentence of the specification decides: to spread its retries, to give up. */
export type ClientAdvice = 'CLIENT-5' | 'CLIENT-6';

/** A client that differs from the exemplary core in its behaviour, and conforms. */
export interface ConformingClient {
  /** Kebab case, permanent. */
  readonly id: string;
  /** What the client does, in one sentence. */
  readonly description: string;
  /** What gets `warn`, because one plausible reading of the specification is broken. */
  readonly warnings: readonly ClientRequirement[];
  /** What may end `inconclusive` in a run, and why that is the honest end. */
  readonly open: Open | null;
  /** What the reports advise it of. */
  readonly advice: readonly ClientAdvice[];
  /** `thorough`: what it is there for shows only with `--thorough`. Absent: in every run. */
  readonly needs?: 'thorough';
  /** What it does differently from the core. */
  readonly behaviour: Partial<Behaviour>;
}

/** A client with one fault. */
export interface FaultyClient extends ConformingClient {
  /** Exactly the requirements that fail. */
  readonly breaks: readonly ClientRequirement[];
  /** Where such clients are found. */
  readonly seenIn: string;
}

/** Requirements that a run may leave open. `because` is the end of a sentence. */
export interface Open {
  readonly requirements: readonly ClientRequirement[];
  readonly because: string;
}

/** The methods of the two operations. */
export type Method = 'GET' | 'POST';

/** A call has got a 429. */
export interface Limited {
  readonly method: Method;
  /** The number of 429 responses that this call has got before, from 0. */
  readonly attempt: number;
  /** What Retry-After asks for, as `readRetryAfter` reads it, in milliseconds. */
  readonly askedMs: number;
  /** What the client waited the last time, without what Retry-After asked for; 0 the first time. In milliseconds. */
  readonly previousMs: number;
  /** Milliseconds from sending the request to its response. */
  readonly tookMs: number;
  /** How many tasks share the client. */
  readonly tasks: number;
}

/** A request as it is written. Two lines of a header are an array. */
export interface WrittenRequest {
  /** Path below the base URL, and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | null;
}

/** What a request is written from. `attempt` is the number of responses that the call has got before. */
export interface Outgoing {
  readonly method: Method;
  readonly key: string;
  readonly attempt: number;
}

/** The decisions of a client; each is a seam of the core that a client of the catalogue may replace. */
export interface Behaviour {
  /**
   * Milliseconds from now that the headers of a 429 ask for; 0 where they ask for nothing. Their names are in lower case;
   * `names` are as they were sent.
   */
  readonly readRetryAfter: (
    headers: Readonly<Record<string, string | undefined>>,
    names: readonly string[],
  ) => number;
  /** Milliseconds that the client adds to what Retry-After asks for. */
  readonly delay: (limited: Limited) => number;
  /** Milliseconds from the 429 to the next request, from what was asked for and the delay of the client. */
  readonly wait: (limited: Limited, delayMs: number) => number;
  /** Whether the call is sent again after this status; `attempt` as in `Limited`. */
  readonly retries: (status: number, attempt: number, method: Method) => boolean;
  /** The gate at which a call waits: calls of the same name wait together. `call` and `task` number the calls of the client and its tasks. */
  readonly gate: (method: Method, call: number, task: number) => string;
  /** The longest that a call waits at its gate, in milliseconds: one that would wait longer fails, and is not sent. */
  readonly patienceMs: number;
  /** Milliseconds that a request waits after its gate has opened; `waiting` were there before it. */
  readonly pace: (waiting: number) => number;
  /** Milliseconds between any two requests, at least. */
  readonly spacingMs: number;
  /** Whether a call that got 429 goes to the end of the work, so that the task goes on with another one. */
  readonly postpones: boolean;
  /** Milliseconds between requests beside the work, which wait at no gate; null without any. */
  readonly heartbeatMs: number | null;
  /** How many tasks there are, where so many were asked for. */
  readonly tasks: (given: number) => number;
  /** How many lists are made, where so many were asked for. */
  readonly lists: (given: number) => number;
  /** The requests that are under way at the same time, at most. */
  readonly atOnce: number;
  /** Whether a call that succeeds opens its gate, whatever wait is left. */
  readonly successOpens: boolean;
  /** The address that paths are appended to, from the one that the client is given. */
  readonly base: (target: string) => string;
  readonly write: (outgoing: Outgoing) => WrittenRequest;
  /** Whether the target of a request is the whole address, as a proxy gets it (absolute-form, RFC 9112 §3.2.2). */
  readonly absoluteForm: boolean;
  /** Whether connections are used again. */
  readonly keepAlive: boolean;
}
