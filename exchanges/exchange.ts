/**
 * The nouns of what was sent and received. Everything here is plain data that
 * survives a trip through the journal unchanged.
 */

/** One header line as it stood on the wire: its own casing, its own place. */
export type HeaderLine = readonly [name: string, value: string];

/**
 * Whose key a request carried, never the key itself.
 * `key` is the key under examination; `other` belongs to another caller;
 * `exhausted` has used up its day; `disposable` may be banned; `plan:NAME` is a
 * key of a further plan; `unspecified` is the examined key in a presentation that the
 * specification leaves open, so that it may or may not count; `unauthenticated` stands
 * for every request without a valid key: none, unknown, a near miss, or the key
 * in the wrong place.
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
 * A body as it was kept. A part of one is no evidence of what the rest says, so
 * only a whole body has a text that a judge can read.
 */
export type Body = WholeBody | BodyExcerpt;

/** A body that arrived and was kept from its first byte to its last. */
export interface WholeBody {
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
  /** Milliseconds since the Unix epoch on the examining machine. */
  readonly wall: number;
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  readonly mono: number;
}

/** The target answered. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly body: Body;
  /** Set when the answer's head arrived whole and its body, of which there is an excerpt then, did not. */
  readonly broken?: string;
}

/** Why no answer came. `isRateLimited`, `dns` and `tls` say that no connection was made. */
export type NoResponseCause = 'refused' | 'dns' | 'tls' | 'reset' | 'timeout' | 'protocol';

/** The target did not answer. */
export interface NoResponse {
  readonly kind: 'no-response';
  readonly cause: NoResponseCause;
  /** What the network said, for a person. */
  readonly detail: string;
}

export interface Request {
  readonly method: string;
  /** Path and query, relative to the origin; keys replaced by their names. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  /** Ours, and small enough to be kept whole. */
  readonly body: WholeBody | null;
}

/** One request and what became of it. */
export interface Exchange {
  readonly kind: 'exchange';
  /** Position among the exchanges of the run, from 1. */
  readonly n: number;
  /** The probe that asked. */
  readonly probe: string;
  /** What the probe asked in this request. */
  readonly step: string;
  readonly caller: Caller;
  /** Numbered from 1 in the order of opening; `fresh` when this request opened it. */
  readonly connection: { readonly id: number; readonly fresh: boolean };
  readonly request: Request;
  readonly sent: Instant;
  readonly received: Instant;
  readonly outcome: Answer | NoResponse;
}
