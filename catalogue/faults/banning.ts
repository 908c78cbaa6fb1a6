import type { BanPolicy } from '../../reference-server/ban.ts';
import type { Request } from '../../reference-server/message.ts';
import { headerValues } from '../../reference-server/message.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { Reply } from './answers.ts';
import { asError, plus } from './answers.ts';

/** Requests beyond the first refusal that bring a ban, where no policy says otherwise. */
const FURTHER_REQUESTS = 5;

/** Which requests a ban concerns, how long it lasts, and how it is told. */
interface BanManner {
  /** By the keys that are banned, each until a moment in milliseconds since the Unix epoch; a banned key itself unless said otherwise. */
  readonly concerns?: (banned: ReadonlyMap<string, number>, key: string) => boolean;
  /** In milliseconds; the length of the policy unless said otherwise. */
  readonly lengthMs?: (policy: BanPolicy) => number;
  /** 403 unless said otherwise. */
  readonly status?: number;
}

/** Bans keys by the service's policy or one of its own, with a Retry-After for whoever is concerned. */
export function banning(manner: BanManner): Seams {
  const {
    concerns = (banned, key) => banned.has(key),
    lengthMs = ({ seconds }) => seconds * 1000,
    status = 403,
  } = manner;
  return {
    wrapService(answer, { now, plans, ban }) {
      const policy = ban ?? { after: FURTHER_REQUESTS, seconds: plans.minuteSeconds };
      const refusals = new Map<string, number>();
      const banned = new Map<string, number>();
      const banIfPersistent = (key: string, reply: Reply): void => {
        const further = reply.status === 429 ? (refusals.get(key) ?? -1) + 1 : -1;
        refusals.set(key, further);
        if (further >= policy.after && !banned.has(key)) banned.set(key, now() + lengthMs(policy));
      };
      return (request) => {
        for (const [key, until] of banned) if (until <= now()) banned.delete(key);
        const outcome = answer(request);
        const key = keyOf(request);
        if (outcome.kind !== 'response' || outcome.status === 401) return outcome;
        if (!concerns(banned, key)) {
          banIfPersistent(key, outcome);
          return outcome;
        }
        const wait = String(Math.ceil(policy.seconds));
        const told = plus(asError(outcome, status, 'banned', 'This key is banned.'), ['Retry-After', wait]);
        return status === 401 ? plus(told, ['WWW-Authenticate', 'Bearer error="invalid_token"']) : told;
      };
    },
  };
}

function keyOf(request: Request): string {
  return headerValues(request, 'Authorization').join(' ');
}
