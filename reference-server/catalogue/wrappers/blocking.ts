import type { BanPolicy } from '../../limiters/ban.ts';
import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Outcome, Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import { aroundEach } from './counting.ts';
import type { SentResponse } from './responses.ts';
import { asError, withLines } from './responses.ts';

/** How many rate-limited requests after the first one cause a ban, where the service has no ban policy. */
const FURTHER_REQUESTS = 5;

/** Which keys a ban affects, how long it lasts, and the status of its responses. */
interface BanOptions {
  /** By default the banned keys themselves; each is banned until a time in milliseconds since the Unix epoch. */
  readonly affects?: (banned: ReadonlyMap<string, number>, key: string) => boolean;
  /** In milliseconds; the length in the policy by default. */
  readonly lengthMs?: (policy: BanPolicy) => number;
  /** 403 by default. */
  readonly status?: number;
}

/** Bans keys by the service's policy or a default one; every response of a ban has a Retry-After. */
export function banning(options: BanOptions): Seams {
  const {
    affects = (banned, key) => banned.has(key),
    lengthMs = ({ seconds }) => seconds * 1000,
    status = 403,
  } = options;
  return {
    wrapService(handle, { now, plans, ban }) {
      const policy = ban ?? { after: FURTHER_REQUESTS, seconds: plans.minuteSeconds };
      const rateLimited = new Map<string, number>();
      const banned = new Map<string, number>();
      const banIfPersistent = (key: string, response: SentResponse): void => {
        const further = response.status === 429 ? (rateLimited.get(key) ?? -1) + 1 : -1;
        rateLimited.set(key, further);
        if (further >= policy.after && !banned.has(key)) banned.set(key, now() + lengthMs(policy));
      };
      return (request) => {
        for (const [key, until] of banned) if (until <= now()) banned.delete(key);
        const key = headerValues(request, 'Authorization').join(' ');
        const isBanned = affects(banned, key);
        // A banned key is counted, but creates nothing.
        const outcome = handle(isBanned ? { ...request, method: 'GET', body: null } : request);
        if (outcome.kind !== 'response' || outcome.status === 401) return outcome;
        if (!isBanned) {
          banIfPersistent(key, outcome);
          return outcome;
        }
        const wait = String(Math.ceil(policy.seconds));
        const response = withLines(asError(outcome, status), ['Retry-After', wait]);
        return status === 401
          ? withLines(response, ['WWW-Authenticate', 'Bearer error="invalid_token"'])
          : response;
      };
    },
  };
}

/** Blocks a key that was rate-limited for so many windows; every further request restarts the block. */
export function blocking(windows: number): Seams {
  return aroundEach((limiter, { plans }) => {
    const lengthMs = windows * Math.round(plans.minuteSeconds * 1000);
    let block: Decision | undefined;
    return (caller, request, now) => {
      const blocked = block !== undefined && now < block.retryAt ? block : undefined;
      const decision = blocked ?? limiter(caller, request, now);
      if (decision.allowed || !caller.authenticated) {
        block = undefined;
        return decision;
      }
      const until = Math.max(decision.retryAt, now + lengthMs);
      block = { ...decision, resetAt: until, retryAt: until };
      return block;
    };
  });
}

// A firewall that limits how fast connections are opened.

/** So many new connections in a second, and the firewall turns the next one away. */
const MOST = 5;

/** Tells which requests are turned away: the first one of a connection that is one too many, and its later ones or not. */
export function beyondFive(later: 'turned away' | 'open'): (request: Request, now: number) => boolean {
  const known = new Map<number, 'open' | 'turned away'>();
  let opened: readonly number[] = [];
  return ({ client: { connection } }, now) => {
    const state = known.get(connection);
    if (state !== undefined) return state === 'turned away';
    opened = opened.filter((at) => at > now - 1000);
    const turns = opened.length >= MOST;
    if (!turns) opened = [...opened, now];
    known.set(connection, turns ? later : 'open');
    return turns;
  };
}

/** A firewall before a service that does not see the first request of a connection beyond five in a second. Where the connection stays open, it is served later. */
export function firewallBefore(answer: (now: number) => Outcome): Seams {
  return {
    wrapService(handle, { now }) {
      const isTurned = beyondFive('open');
      return (request) => (isTurned(request, now()) ? answer(now()) : handle(request));
    },
  };
}

/** A page of a firewall, without the headers of the service. */
export function pageOf(status: number): (now: number) => Outcome {
  return (now) => ({
    kind: 'response',
    status,
    headers: [
      ['Content-Type', 'text/html'],
      ['Date', new Date(now).toUTCString()],
    ],
    body: Buffer.from('<html><title>Try again</title><p>Too many connections</p></html>'),
  });
}
