import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonFields } from '../../../kernel/basics/json.ts';
import type { HeaderLine, Instant, NoResponse, NoResponseCause } from '../../../kernel/exchanges/exchange.ts';
import { now } from '../../../kernel/recording/line-file.ts';

/** `kept` is for one request after another. `new` is closed after its request. The `parallel` ones are for requests at the same time. */
export type Route = 'kept' | 'new' | `parallel-${number}`;

export interface WireRequest {
  readonly method: string;
  /** Path and query after the base address, for example `/categories`. */
  readonly path: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Uint8Array | null;
  readonly route: Route;
}

/** The path of a base address without the slash at its end; empty at the root. */
export const basePath = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

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

/** The clocks of a run; simulated in tests, so that an hour passes in a millisecond. */
export interface Clock {
  now(): Instant;
  /** Resolves once at least `milliseconds` have passed on the monotonic clock; rejects when `signal` aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Node's timers may fire a millisecond early, and a request that is sent too early could cause a false fail. */
const TIMER_GRACE_MS = 3;

export const systemClock: Clock = {
  now,
  async sleep(milliseconds, signal) {
    const until = performance.now() + milliseconds;
    for (let left = milliseconds; left > 0; left = until - performance.now()) {
      await delay(left + TIMER_GRACE_MS, undefined, signal === undefined ? {} : { signal });
    }
  },
};

/** The code of an error about a response of HTTP whose status line no client reads. */
export const UNREADABLE_HEAD = 'UNREADABLE_HEAD';

const causes: Readonly<Record<string, NoResponseCause>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_NODATA: 'dns',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  [UNREADABLE_HEAD]: 'malformed',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'protocol',
};

const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/;

/** Why no response came, by the network error, with the text of that error. Never throws. */
export function noResponseOf(error: unknown): Pick<NoResponse, 'cause' | 'detail'> {
  const inner = innermost(error);
  if (!(inner instanceof Error)) return { cause: 'protocol', detail: String(inner) };
  const { code, reason } = jsonFields(inner);
  const known = typeof code === 'string' ? code : '';
  // The rest of a message of OpenSSL names threads and source lines.
  const isOfTls = inner.message.includes(':SSL routines:') && typeof reason === 'string';
  const detail = isOfTls ? reason : inner.message || known || inner.name;
  if (inner.cause === 'timeout') return { cause: 'timeout', detail };
  return { cause: TLS_CODES.test(known) ? 'tls' : (causes[known] ?? 'protocol'), detail };
}

/** Node reports a host with several addresses as an AggregateError. Its last error is the relevant one. */
function innermost(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors.at(-1));
  if (error instanceof Error && error.cause instanceof Error) return innermost(error.cause);
  return error;
}
