import type { HeaderLine, Instant, NoResponseCause } from '../../../kernel/exchanges/exchange.ts';

/**
 * The connection of a request. `kept` is one connection for one request after
 * another. `new` is opened for this request and closed after it. The `parallel`
 * ones are kept open for requests that are sent at the same time.
 */
export type Route = 'kept' | 'new' | `parallel-${number}`;

/** A request that is ready to be sent. */
export interface WireRequest {
  readonly method: string;
  /** Path and query after the base address, for example `/categories`. */
  readonly path: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Uint8Array | null;
  readonly route: Route;
}

/** The response, byte for byte, or why there is none. */
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
      /** How many bytes of body arrived; more than `body` holds where the bound was reached. */
      readonly bytes: number;
      /** Why the body is incomplete, where it broke off. */
      readonly broken?: string;
      /** Why no client reads the body, although the head is readable; `body` holds what arrived. */
      readonly unreadable?: string;
      /** What strict clients reject in this response and lenient ones read. */
      readonly irregular?: readonly string[];
    }
  | { readonly kind: 'no-response'; readonly cause: NoResponseCause; readonly detail: string }
);

/** Sends requests to the target. It never retries, follows no redirect and does not pipeline. */
export interface Wire {
  /** Always resolves: a missing response is a `no-response`, not an exception. */
  send(request: WireRequest): Promise<Reply>;
  /** Closes every connection, so that the next request opens a new one. */
  closeConnections(): Promise<void>;
}
