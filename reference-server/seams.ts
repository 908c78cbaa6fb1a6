import { definedFields } from '../kernel/basics/json.ts';
import type { Plans } from '../spec/plans.ts';
import type { BanPolicy } from './limiters/ban.ts';
import type { Limiter } from './limiters/limiter.ts';
import type { DemoKeys, Identify } from './service/callers.ts';
import type { CategoryStore } from './service/categories.ts';
import type { Request, RequestHandler, Response } from './service/message.ts';

/**
 * The five places at which other behaviour can be built in, without any change
 * to the routes: how the caller is identified, what the store keeps, how
 * requests are counted, the response as a whole, and its bytes on the socket.
 */
export interface Seams {
  readonly wrapStore?: (store: CategoryStore) => CategoryStore;
  readonly wrapIdentify?: (identify: Identify, context: SeamContext) => Identify;
  readonly wrapLimiter?: (limiter: Limiter, context: SeamContext) => Limiter;
  readonly wrapService?: (handle: RequestHandler, context: SeamContext) => RequestHandler;
  readonly wrapBytes?: BytesSeam;
}

/** Several behaviours as one, each around those before it; of several for bytes, the last. */
export const composed = (...parts: readonly Seams[]): Seams =>
  definedFields({
    wrapStore: around(parts.flatMap(({ wrapStore = [] }) => wrapStore)),
    wrapIdentify: around(parts.flatMap(({ wrapIdentify = [] }) => wrapIdentify)),
    wrapLimiter: around(parts.flatMap(({ wrapLimiter = [] }) => wrapLimiter)),
    wrapService: around(parts.flatMap(({ wrapService = [] }) => wrapService)),
    wrapBytes: parts.findLast(({ wrapBytes }) => wrapBytes !== undefined)?.wrapBytes,
  });

/** One wrapper for all of them, the last one outermost; undefined where there are none. */
const around = <Inner, Context extends readonly unknown[]>(
  wrappers: readonly ((inner: Inner, ...context: Context) => Inner)[],
): ((inner: Inner, ...context: Context) => Inner) | undefined =>
  wrappers.length === 0
    ? undefined
    : (inner, ...context) => wrappers.reduce((wrapped, wrap) => wrap(wrapped, ...context), inner);

/** What a wrapper may use of the service that it is built into. */
export interface SeamContext {
  /** Milliseconds since the Unix epoch, in whole numbers; the same during one request. */
  readonly now: () => number;
  readonly plans: Plans;
  readonly keys: DemoKeys;
  readonly ban: BanPolicy | undefined;
  /** The store behind the routes, wrapped. */
  readonly categories: CategoryStore;
}

/** The bytes of a response, below anything that the service knows of; undefined where it goes out unchanged. */
export type BytesSeam = (response: Response, request: Request) => Transmission | undefined;

/** A response as bytes, and what happens to its connection. */
export interface Transmission {
  /** What goes out, each piece in a segment of its own. */
  readonly pieces: readonly Uint8Array[];
  /** Afterwards: `keep` leaves the connection open, `end` closes it, `reset` resets it. */
  readonly connection: 'keep' | 'end' | 'reset';
}
