import type { HeaderLine, Instant, NoResponseCause } from '../../exchanges/exchange.ts';

/**
 * Which connection a request travels on. `kept` is one connection for one
 * request after another; `new` is opened for this request and closed after
 * it; lanes are kept side by side for requests sent at the same time.
 */
export type Route = 'kept' | 'new' | `parallel-${number}`;

/** A request, ready to be sent. */
export interface WireRequest {
  readonly method: string;
  /** Path and query after the base address, for example `/categories`. */
  readonly path: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Uint8Array | null;
  readonly route: Route;
}

/** What came back, byte for byte. */
export type Reply = {
  readonly connection: { readonly id: number; readonly fresh: boolean };
  readonly sent: Instant;
  readonly received: Instant;
} & (
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: readonly HeaderLine[];
      readonly body: Uint8Array;
      /** Bytes of body that came in all; more than `body` holds where the bound was reached. */
      readonly bytes: number;
      readonly broken?: string;
    }
  | { readonly kind: 'no-response'; readonly cause: NoResponseCause; readonly detail: string }
);

/** The only way to the target. Never retries, never follows a redirect, never pipelines. */
export interface Wire {
  /** Resolves in every case: an answer that did not come is a silence, not an exception. */
  send(send: WireRequest): Promise<Reply>;
  /** Closes every connection, so that the next request opens a new one. */
  hangUp(): Promise<void>;
}
