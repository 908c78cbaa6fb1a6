/** One header line as it stands on the wire: its own casing, its own place. */
export type HeaderLine = readonly [name: string, value: string];

/** A request as the core sees it: no sockets, no framework. */
export interface Request {
  readonly method: string;
  /** Path and query as on the wire, base path included: `/v1/categories?x=1`. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  /** The body's bytes, or null where the request has none. Never more than `MAX_BODY_BYTES` + 1 of them. */
  readonly body: Uint8Array | null;
  /** Who is at the other end: the network address, and the number of the connection (from 1). */
  readonly client: { readonly address: string; readonly connection: number };
  /** Why it is rejected for its shape, before any route sees it; undefined where its shape is right. */
  readonly malformed?: Malformed;
}

/** How to answer a request of the wrong shape: with which status, and with which `code` and `message` of an Error body. */
export interface Malformed {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** A response with every header line that goes out, except `Connection` and `Keep-Alive`. */
export interface Response {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly body: Uint8Array;
}

/**
 * What becomes of a request. The service itself always answers; only a fault
 * drops the connection, or delays (in milliseconds).
 */
export type Outcome =
  | ({ readonly kind: 'response'; readonly delayMs?: number } & Response)
  | { readonly kind: 'dropped'; readonly delayMs?: number };

/** The whole service as one function: synchronous, and pure over the clock it was made with. */
export type Answer = (request: Request) => Outcome;

/** The largest request body the service reads, in bytes (1 MiB). The specification shows no bound. */
export const MAX_BODY_BYTES = 1_048_576;

/** Every value of a header, in the order of its lines; names compare without case (RFC 9110 §5.1). */
export function headerValues(message: { readonly headers: readonly HeaderLine[] }, name: string): string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  for (const [key, value] of message.headers) {
    if (key.length === wanted.length && key.toLowerCase() === wanted) values.push(value);
  }
  return values;
}

/** A response whose body is this JSON text. */
export function jsonText(status: number, text: string, headers: readonly HeaderLine[] = []): Response {
  return { status, headers: [['Content-Type', 'application/json'], ...headers], body: Buffer.from(text) };
}

/** The Error body of the specification: `code`, `message`, and `status` equal to the HTTP status. */
export function errorResponse(
  status: number,
  code: string,
  message: string,
  headers: readonly HeaderLine[] = [],
): Response {
  return jsonText(status, JSON.stringify({ code, message, status }), headers);
}
