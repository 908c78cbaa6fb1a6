import type { Caller } from '../../reference-server/callers.ts';
import type { Quota } from '../../reference-server/limiters/algorithm.ts';
import type { Request } from '../../reference-server/message.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { RequirementId } from '../../spec/register.ts';
import { banning } from '../faults/banning.ts';
import { only } from '../faults/counting.ts';
import type { Variant } from './variant.ts';
import { conforms, leftOpen } from './variant.ts';

/** Whatever needs the key to be answered with something else than 429. */
const NEEDS_THE_KEY: readonly RequirementId[] = [
  'MEDIA-3',
  'LIST-1',
  'LIST-2',
  'LIST-3',
  'CREATE-1',
  'CREATE-2',
  'CREATE-3',
  'CREATE-4',
  'CREATE-5',
  'CREATE-6',
  'CREATE-7',
  'CREATE-8',
  'CREATE-9',
  'CREATE-11',
  'CREATE-12',
  'CAT-1',
  'CAT-2',
  'CAT-3',
  'CAT-4',
  'ERR-1',
  'RATE-2',
  'RATE-7',
  'LIMIT-2',
  'LIMIT-4',
  'LIMIT-5',
  'LIMIT-6',
  'LIMIT-8',
  'RETRY-3',
  'RETRY-4',
];

/** Keys in the state in which somebody left them, and keys that are banned. */
export const keys: readonly Variant[] = [
  {
    id: 'key-half-used',
    row: 'K38',
    says: 'Half of the first key’s minute was used a moment before its first request.',
    deserves: conforms,
    seen: 'any key that another job uses, too',
    ...usedBefore('minute', 1 / 2),
  },
  {
    id: 'key-used-up',
    row: 'K39',
    says: 'The first key’s minute was used up before its first request, which is refused.',
    deserves: conforms,
    seen: 'an examination that is run twice in a minute',
    ...usedBefore('minute', 1, 2 / 3),
  },
  {
    id: 'key-without-a-day',
    row: 'K40',
    says: 'The first key’s day was used up before its first request.',
    deserves: leftOpen('Nothing that needs the key is answered before tomorrow.', NEEDS_THE_KEY),
    seen: 'the seventeenth examination of a day with a Free key',
    ...usedBefore('day', 1),
  },
  ...[401, 403, 429].map(
    (status): Variant => ({
      id: `ban-told-as-${status}`,
      row: 'K35',
      says: `A key that sends five further requests after a 429 is banned for a window, and told so with ${status}.`,
      deserves: conforms,
      examine: 'with a key that may be lost',
      seen: '@fastify/rate-limit with ban; fail2ban; GitHub’s secondary limits',
      ...banning({ status }),
    }),
  ),
];

/** Uses a share of a window of whoever comes first, this share of the window before its first request. */
function usedBefore(window: Quota['window'], share: number, ago = 0): Seams {
  return {
    wrapLimiter(limiter) {
      let fresh = true;
      const use = (caller: Caller, request: Request, now: number): void => {
        for (const quota of only(window, caller).quotas) {
          const then = Math.floor(now - ago * quota.windowMs);
          const requests = Math.floor(share * quota.limit);
          for (let n = 0; n < requests; n += 1) limiter.spend({ ...caller, quotas: [quota] }, request, then);
        }
      };
      return {
        spend(caller, request, now) {
          if (caller.known && fresh) use(caller, request, now);
          fresh &&= !caller.known;
          return limiter.spend(caller, request, now);
        },
      };
    },
  };
}
