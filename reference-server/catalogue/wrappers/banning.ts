import type { BanPolicy } from '../../limiters/ban.ts';
import type { Seams } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
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
        const key = keyOf(request);
        const isBanned = affects(banned, key);
        // A banned key is counted, but creates nothing.
        const outcome = handle(isBanned ? { ...request, method: 'GET', body: null } : request);
        if (outcome.kind !== 'response' || outcome.status === 401) return outcome;
        if (!isBanned) {
          banIfPersistent(key, outcome);
          return outcome;
        }
        const wait = String(Math.ceil(policy.seconds));
        const response = withLines(asError(outcome, status, 'banned', 'This key is banned.'), [
          'Retry-After',
          wait,
        ]);
        return status === 401
          ? withLines(response, ['WWW-Authenticate', 'Bearer error="invalid_token"'])
          : response;
      };
    },
  };
}

function keyOf(request: Request): string {
  return headerValues(request, 'Authorization').join(' ');
}
