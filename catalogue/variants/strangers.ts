import type { Caller } from '../../reference-server/callers.ts';
import type { Decision } from '../../reference-server/limiter.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { Variant } from './variant.ts';
import { conforms } from './variant.ts';

const A_FEW = 10;
const SOME = 30;

/** Lawful ways to count and to show requests without a valid key. */
export const strangers: readonly Variant[] = [
  {
    id: 'anonymous-limit',
    row: 'K30',
    says: `A 401 shows the limit of an anonymous caller, ${SOME}, and counts down from it.`,
    deserves: conforms,
    seen: 'GitHub, which gives callers without a token 60 an hour',
    ...forStrangers((spend) => spend(SOME)),
  },
  {
    id: 'anonymous-limit-of-zero',
    row: 'K30',
    says: 'A 401 shows that the limit of an anonymous caller is 0.',
    deserves: conforms,
    seen: 'services whose anonymous plan is empty',
    ...forStrangers((spend) => ({ ...spend(), limit: 0, remaining: 0 })),
  },
  {
    id: 'strangers-limited-by-address',
    row: 'K31',
    says: `An address may send ${A_FEW} requests without a valid key, and then gets 429.`,
    deserves: conforms,
    seen: 'express-rate-limit in front of authentication; fail2ban',
    ...forStrangers((spend) => spend(A_FEW)),
  },
  {
    id: 'strangers-not-counted',
    row: 'K32',
    says: 'A 401 is not counted: it always shows the same limit, untouched.',
    deserves: conforms,
    seen: 'limiters behind authentication, with headers by another middleware',
    ...forStrangers((spend) => {
      const decision = spend();
      return { ...decision, remaining: decision.limit };
    }),
  },
];

/** Decides for callers without a key; `spend` counts one request, under another limit where one is given. */
function forStrangers(decide: (spend: (limit?: number) => Decision) => Decision): Seams {
  return {
    wrapLimiter: (limiter) => ({
      spend: (caller, request, now) =>
        caller.known
          ? limiter.spend(caller, request, now)
          : decide((limit) => limiter.spend(limitedTo(limit, caller), request, now)),
    }),
  };
}

function limitedTo(limit: number | undefined, caller: Caller): Caller {
  if (limit === undefined) return caller;
  return { ...caller, quotas: caller.quotas.map((quota) => ({ ...quota, limit })) };
}
