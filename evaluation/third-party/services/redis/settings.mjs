const { env } = process;
const keys = [...(env.KEYS ?? '').split(','), env.EXHAUSTED_KEY];

export const settings = {
  port: Number(env.PORT),
  scratch: env.SCRATCH,
  worker: Number(env.WORKER),
  exhausted: env.EXHAUSTED_KEY,
  minute: { name: 'minute', limit: Number(env.PER_MINUTE), ms: Number(env.MINUTE_SECONDS) * 1000 },
  day: { name: 'day', limit: Number(env.PER_DAY), ms: Number(env.DAY_SECONDS) * 1000 },
  /** The key of a request, or undefined where it has no valid one. */
  callerOf({ headers }) {
    const [scheme, key, ...rest] = (headers.authorization ?? '').split(' ');
    return scheme.toLowerCase() === 'bearer' && rest.length === 0 && keys.includes(key) ? key : undefined;
  },
};

/** Whether the service is broken in this way, or has this choice. */
export const is = (id) => env.BREAK === id;

/** The time of this process. */
export const now = () => Date.now() + (is('clock-minutes-behind') ? -7 * 60_000 : 0);

export function fail(response, status, code, message) {
  if (response.headersSent) return;
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ code, message, status }));
}
