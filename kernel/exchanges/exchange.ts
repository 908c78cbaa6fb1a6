/**
 * The nouns of what was sent and received. Everything here is plain data that
 * survives a trip through the journal unchanged.
 */

/** One header line as it was on the wire, in its own casing and order. */
export type HeaderLine = readonly [name: string, value: string];

/**
 * Whose key a request carried, never the key itself. `other` belongs to another caller, `exhausted` has no quota of
 * its day left, `disposable` may be banned, `plan:NAME` is of a further plan, `unspecified` is the key under test in a
 * presentation that the specification leaves open, `unauthenticated` is every request without a valid key in its
 * place.
 */
export type Caller =
  | 'key'
  | 'unspecified'
  | 'other'
  | 'exhausted'
  | 'disposable'
  | 'unauthenticated'
  | `plan:${string}`;

/**
 * A body as it was kept. A part proves nothing about the rest, so only a
 * complete body has a text that a judge can read.
 */
export type Body = CompleteBody | BodyExcerpt;

/** A body that arrived and was kept from its first byte to its last. */
export interface CompleteBody {
  /** In base64 where the bytes are not valid UTF-8. */
  readonly text: string;
  readonly encoding: 'utf8' | 'base64';
  readonly bytes: number;
  readonly cut: false;
}

/** What was kept of a body that broke off or was too large: for a person to look at, never to be judged. */
export interface BodyExcerpt {
  /** Its beginning, in base64 where the bytes are not valid UTF-8. */
  readonly excerpt: string;
  readonly encoding: 'utf8' | 'base64';
  /** How many bytes came in all, before anything was cut. */
  readonly bytes: number;
  readonly cut: true;
}

/** A moment on both clocks, in milliseconds. Intervals are measured on `mono` only. */
export interface Instant {
  /** Milliseconds since the Unix epoch on the machine of the run. */
  readonly wall: number;
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  readonly mono: number;
}

/** The target responded. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly body: Body;
  /** Why the body did not arrive completely, although the head did; the body is an excerpt then. */
  readonly broken?: string;
  /** Why no client reads the body, although it reads the head: a clause with the section of an RFC. The body is an excerpt then. */
  readonly unreadable?: string;
  /** What strict clients reject in this response and lenient ones read: clauses, each with its section of an RFC. */
  readonly irregular?: readonly string[];
  /** The content codings that were undone before the body was kept; absent where the body is as it arrived. */
  readonly decoded?: string;
}

/**
 * Why no response came. `refused`, `dns` and `tls` mean that no connection was made; `malformed`, that a response of HTTP
 * came whose head cannot be read; `protocol`, that something else came. `locked-out` never stands in a journal: a judge
 * sets aside a response that is not the service's answer to its request, and `detail` says what it was.
 */
export type NoResponseCause =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'reset'
  | 'timeout'
  | 'malformed'
  | 'protocol'
  | 'locked-out';

/** The target did not respond. */
export interface NoResponse {
  readonly kind: 'no-response';
  readonly cause: NoResponseCause;
  /** The error of the network, for a person. */
  readonly detail: string;
}

export interface Request {
  readonly method: string;
  /** Path and query, relative to the origin; keys replaced by their names. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  /** Sent by this project, and small enough to be kept completely. */
  readonly body: CompleteBody | null;
}

/** One request and its outcome. */
export interface Exchange {
  readonly kind: 'exchange';
  /** Position among the exchanges of the run, from 1. */
  readonly n: number;
  /** The probe that sent it. */
  readonly probe: string;
  /** The step of the probe that sent it. */
  readonly step: string;
  readonly caller: Caller;
  /** Numbered from 1 in the order of opening; `fresh` when this request opened it. */
  readonly connection: { readonly id: number; readonly fresh: boolean };
  readonly request: Request;
  readonly sent: Instant;
  readonly received: Instant;
  readonly outcome: Answer | NoResponse;
  /** The number of the exchange whose response a cache shows here once more: worked out from all of them (`markStored`), never recorded. */
  readonly shownAgain?: number;
}
