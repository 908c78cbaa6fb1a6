/** The settings of an app: its callers and their limit. */
export interface AppSettings {
  /** Every valid key; each has a limit of its own. */
  readonly keys: readonly string[];
  readonly perMinute: number;
  /** Length of the window, in seconds. */
  readonly windowSeconds: number;
  /** A second limit of each key, where the app can have one. */
  readonly day?: { readonly requests: number; readonly seconds: number };
}

/** An app that listens on a free port of the loopback interface. */
export interface RunningApp {
  /** With the segment `/v1`. */
  readonly baseUrl: string;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

/** How many unauthenticated requests an address may send in a window: more than any run sends. */
export const ANONYMOUS_LIMIT = 10_000;

/** The body of every error of these apps. */
export const errorBody = (status: number, code: string, message: string) => ({ code, message, status });

/** The token of `Authorization: Bearer TOKEN` if it is a valid key (RFC 6750 §2.1; the scheme in any case). */
export function validKey(authorization: string | undefined, keys: readonly string[]): string | undefined {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return keys.find((key) => key === token);
}

/** The state of a caller in a limiter. */
interface LimiterState {
  readonly limit: number;
  /** Below 0 where the limiter counts requests beyond the limit, too. */
  readonly remaining: number;
  /** Milliseconds since the Unix epoch. */
  readonly resetAt: number;
}

/** The three headers of the specification, from the state of a limiter. */
export function rateLimitHeaders({ limit, remaining, resetAt }: LimiterState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, remaining)),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  };
}

/** Retry-After in whole seconds, rounded up, until this time in milliseconds since the Unix epoch. */
export function retryAfterHeader(until: number): Record<string, string> {
  return { 'Retry-After': String(Math.max(1, Math.ceil((until - Date.now()) / 1000))) };
}

/** A body as a parser hands it over. */
export type ParsedBody = Readonly<Record<string, unknown>> | undefined;

/** A category as an app writes it. */
export type Stored = Readonly<Record<string, unknown>>;

/**
 * The parts of an app that a service writes itself, each as the fixes have it. A fault is another version of one or
 * two of them; the rest of the app stays the same.
 */
export interface Parts {
  /** The key in the credentials of a request, if it is valid. */
  readonly keyOf: (authorization: string | undefined, keys: readonly string[]) => string | undefined;
  /** Whether a category can be made of a body. */
  readonly isValid: (body: ParsedBody) => boolean;
  readonly stored: (id: number, body: ParsedBody) => Stored;
  readonly listed: (categories: readonly Stored[]) => unknown;
  readonly created: number;
  readonly unauthorized: { readonly status: number; readonly body: unknown };
  readonly invalid: { readonly status: number; readonly body: unknown };
}

/** The parts as a conforming service has them. */
export const PARTS: Parts = {
  keyOf: validKey,
  isValid: (body) => {
    const { name, description } = body ?? {};
    return typeof name === 'string' && (description === undefined || typeof description === 'string');
  },
  stored: (id, body) => {
    const { name, description } = body ?? {};
    return { id, name, ...(description === undefined ? {} : { description }) };
  },
  listed: (categories) => categories,
  created: 201,
  unauthorized: {
    status: 401,
    body: errorBody(401, 'unauthorized', 'The API key is missing or invalid.'),
  },
  invalid: { status: 400, body: errorBody(400, 'invalid_body', 'name must be a string.') },
};

/** The parts of a service that checks neither the types of its fields nor what it copies. */
export const NOVICE = {
  withoutCheck: { isValid: (body: ParsedBody) => body?.['name'] !== undefined && body['name'] !== '' },
  copied: { stored: (id: number, body: ParsedBody) => ({ id, ...body }) },
  idAsText: { stored: (id: number, body: ParsedBody) => ({ ...PARTS.stored(id, body), id: String(id) }) },
  envelope: { listed: (categories: readonly Stored[]) => ({ categories }) },
  ok: { created: 200 },
  forbidden: { unauthorized: { status: 403, body: errorBody(403, 'forbidden', 'No.') } },
  unprocessable: { invalid: { status: 422, body: errorBody(422, 'invalid_body', 'name must be a string.') } },
  ownFields: {
    unauthorized: { status: 401, body: { error: 'Unauthorized' } },
    invalid: { status: 400, body: { error: 'Bad Request' } },
  },
  text: {
    unauthorized: { status: 401, body: 'Unauthorized' },
    invalid: { status: 400, body: 'Bad Request' },
  },
  removedScheme: {
    keyOf: (authorization: string | undefined, keys: readonly string[]) =>
      keys.find((key) => key === (authorization ?? '').replace('Bearer ', '')),
  },
  prefix: {
    keyOf: (authorization: string | undefined, keys: readonly string[]) => {
      const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
      return token === undefined ? undefined : keys.find((key) => key.startsWith(token.slice(0, 16)));
    },
  },
  throwing: {
    keyOf: (authorization: string | undefined, keys: readonly string[]) => {
      if (authorization === undefined)
        throw new TypeError("Cannot read properties of undefined (reading 'split')");
      return validKey(authorization, keys);
    },
  },
} as const satisfies Readonly<Record<string, Partial<Parts>>>;
