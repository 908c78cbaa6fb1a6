/** One header line as on the wire, with its casing; the order of lines is kept, too. */
export type HeaderLine = readonly [name: string, value: string];

/** A request as the service sees it, without sockets. */
export interface Request {
  readonly method: string;
  /** Path and query as on the wire, base path included: `/v1/categories?x=1`. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  /** The body's bytes, or null where the request has none. Never more than `MAX_BODY_BYTES` + 1 of them. */
  readonly body: Uint8Array | null;
  /** The client's network address, and the number of its connection (from 1). */
  readonly client: { readonly address: string; readonly connection: number };
  /** The response to a request that is malformed HTTP; undefined where it is well-formed. */
  readonly malformed?: Malformed;
}

/** The response to a malformed request: its status, and the `code` and `message` of its Error body. */
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
 * The outcome of a request. The service itself always responds at once; only
 * behaviour built in at a seam drops the connection, or delays the response (in milliseconds).
 */
export type Outcome =
  | ({ readonly kind: 'response'; readonly delayMs?: number } & Response)
  | { readonly kind: 'dropped'; readonly delayMs?: number };

/** The whole service as one synchronous function; its only input besides the request is its clock. */
export type RequestHandler = (request: Request) => Outcome;

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
