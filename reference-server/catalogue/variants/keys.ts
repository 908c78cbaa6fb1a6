import type { RequirementId } from '../../../spec/register.ts';
import type { Quota } from '../../limiters/algorithm.ts';
import type { Limiter } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import type { Outcome, Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import { banning } from '../wrappers/blocking.ts';
import { withQuotaOf } from '../wrappers/counting.ts';
import type { StatedVariant, StatedVariants } from './variant.ts';
import { needsCreations } from './variant.ts';

/** The requirements that need another response than 429 with the key. */
const NEEDS_THE_KEY: readonly RequirementId[] = [
  ...needsCreations,
  ...(['LIST-1', 'LIST-2', 'CAT-1', 'CAT-2', 'CAT-3', 'RATE-7'] as const),
  ...(['LIMIT-2', 'LIMIT-4', 'LIMIT-6', 'LIMIT-8', 'RETRY-3', 'RETRY-4'] as const),
];

function banned(status: number): StatedVariant {
  return {
    topic: 'K35',
    description: `A key that sends five more requests after a 429 is banned for a window, and gets ${status} in that time.`,
    testedWith: 'a disposable key',
    seenIn: '@fastify/rate-limit with ban; fail2ban; GitHub’s secondary limits',
    ...banning({ status }),
  };
}

/** The request with the known key that its credential is, apart from case. */
function withKnownKey(request: Request, known: readonly string[]): Request {
  const spelled = (value: string): string =>
    known.map((key) => `Bearer ${key}`).find((one) => one.toLowerCase() === value.toLowerCase()) ?? value;
  return withAuthorization(request, spelled);
}

const withAuthorization = (request: Request, change: (value: string) => string): Request => ({
  ...request,
  headers: request.headers.map(([name, value]) => [
    name,
    name.toLowerCase() === 'authorization' ? change(value) : value,
  ]),
});

/** Uses a share of a window of the first caller; `ago` is the time before its first request, as a share of the window. */
function usedBefore(window: Quota['window'], share: number, ago = 0): Seams {
  return {
    wrapLimiter(limiter) {
      let firstRequest = true;
      const use = (caller: Caller, request: Request, now: number): void => {
        for (const quota of withQuotaOf(window, caller).quotas) {
          const then = Math.floor(now - ago * quota.windowMs);
          const requests = Math.floor(share * quota.limit);
          for (let n = 0; n < requests; n += 1) limiter({ ...caller, quotas: [quota] }, request, then);
        }
      };
      return (caller, request, now) => {
        if (caller.authenticated && firstRequest) use(caller, request, now);
        firstRequest &&= !caller.authenticated;
        return limiter(caller, request, now);
      };
    },
  };
}

/** The caller of the second key. */
const SECOND_KEY = 'free-2';

const HOUR_MS = 3_600_000;
const LOCKED_OUT = {
  inconclusive: ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4'],
  because: 'the run was locked out before every request without a valid key was answered',
} as const;

/** Keys that were used before the run, keys that are banned, and keys in any case. */
export const keys: StatedVariants = {
  'key-half-used': {
    topic: 'K38',
    description: 'Half of the first key’s quota per minute was used shortly before its first request.',
    seenIn: 'any key that another job uses, too',
    ...usedBefore('minute', 1 / 2),
  },
  'key-exhausted': {
    topic: 'K39',
    description: 'The first key’s quota per minute was exhausted before its first request, which gets 429.',
    seenIn: 'a test that is run twice within a minute',
    ...usedBefore('minute', 1, 2 / 3),
  },
  'key-without-a-day': {
    topic: 'K40',
    description: 'The first key’s daily quota was exhausted before its first request.',
    inconclusive: NEEDS_THE_KEY,
    because: 'Every request with the key gets 429 until the next day.',
    seenIn: 'the seventeenth run of a day with a Free key',
    ...usedBefore('day', 1),
  },
  'ban-with-401': banned(401),
  'ban-with-403': banned(403),
  'keys-in-any-case': {
    topic: 'K85',
    description: 'A key is the same key in upper and lower case, and counts as such.',
    algorithm: 'token-bucket',
    seenIn: 'databases whose collation ignores case, such as MySQL’s default',
    wrapIdentify:
      (identify, { keys: known }) =>
      (request) =>
        identify(withKnownKey(request, Object.values(known).flat())),
  },
  'credentials-remembered-without-case': {
    topic: 'K85',
    description:
      'A connection takes an Authorization that differs from an earlier one only in case for that one; the scheme is accepted only as "Bearer".',
    algorithm: 'token-bucket',
    seenIn:
      'Jetty, whose connections keep header lines for the next request and find them without regard to case',
    wrapIdentify(identify) {
      const earlier = new Map<string, string>();
      return (request) => {
        const remembered = withAuthorization(request, (value) => {
          const line = `${request.client.connection} ${value.toLowerCase()}`;
          const known = earlier.get(line) ?? value;
          earlier.set(line, known);
          return known.startsWith('Bearer') ? known : '';
        });
        return identify(remembered);
      };
    },
  },

  // Services that count each key separately, and whose second key gets 429 for another reason.
  'other-key-exhausted': {
    topic: 'K39',
    description: 'Another client exhausted the second key’s quota per minute once, before its first request.',
    seenIn: 'a key that a nightly job uses, too',
    ...usedByAnother(({ sent }) => sent === 0),
  },
  'other-key-always-exhausted': {
    topic: 'K39',
    description: 'Another client exhausts the second key’s quota in every window.',
    inconclusive: ['LIMIT-7'],
    because: 'The second key gets nothing but 429 responses.',
    seenIn: 'a key that a busy service uses, too',
    ...usedByAnother(() => true),
  },
  'other-key-exhausted-with-the-first': {
    topic: 'K39',
    description: 'Another client exhausts the second key’s quota whenever the first key’s is exhausted.',
    inconclusive: ['LIMIT-7'],
    because: 'With the second key alone, another client at these moments looks the same as a shared limit.',
    seenIn: 'a second run, started at the same time with the two keys exchanged',
    ...usedByAnother(({ since429 }) => since429 < SOON_MS),
  },

  // What locks out an address or a key after requests without a valid key.
  'address-locked-out-after-forty': {
    topic: 'K87',
    description: 'After forty 401 responses an address gets a page with 403, with a valid key as well.',
    ...LOCKED_OUT,
    seenIn: 'intrusion prevention that reads the log of a service',
    ...lockingOut(40, page(403)),
  },
  'address-locked-out-after-five': {
    topic: 'K87',
    description: 'After five 401 responses an address gets a page with 403, with a valid key as well.',
    inconclusive: [...LOCKED_OUT.inconclusive, 'AUTH-5', 'AUTH-6'],
    because: LOCKED_OUT.because,
    seenIn: 'fail2ban with its usual number of attempts, before an answer that a web server gives',
    ...lockingOut(5, page(403)),
  },
  'address-dropped-after-twenty': {
    topic: 'K87',
    description: 'After twenty 401 responses no request of an address is answered.',
    ...LOCKED_OUT,
    seenIn: 'fail2ban with a firewall that drops packets',
    ...lockingOut(20, { kind: 'dropped' }),
  },
  'address-limited-after-twenty': {
    topic: 'K87',
    description:
      'After twenty 401 responses an address gets a page with 429 and no further headers, with a valid key as well.',
    ...LOCKED_OUT,
    seenIn: 'rate-based rules of web application firewalls',
    ...lockingOut(20, page(429)),
  },
  'failed-logins-locked-out': {
    topic: 'K87',
    description: 'After eight 401 responses an address gets 403 for requests without a valid key.',
    ...LOCKED_OUT,
    seenIn: 'limiters of failed logins',
    ...lockingOut(8, page(403), 'unauthorized requests'),
  },
  'key-locked-out-by-similar-keys': {
    topic: 'K87',
    description: 'After three keys that begin like a valid one, that key gets 423.',
    inconclusive: ['AUTH-2', 'AUTH-3', 'AUTH-4'],
    because: LOCKED_OUT.because,
    seenIn: 'locks of an account, where the beginning of a key names the account',
    wrapService(handle, { keys }) {
      const valid = Object.values(keys).flat();
      const failed = new Map<string, number>();
      return (request) => {
        const token = headerValues(request, 'Authorization')[0]?.replace(/^Bearer /, '') ?? '';
        const prefix = token.slice(0, PREFIX);
        if (!valid.includes(token) && valid.some((key) => key.startsWith(prefix) && prefix !== ''))
          failed.set(prefix, (failed.get(prefix) ?? 0) + 1);
        const isLocked = valid.includes(token) && (failed.get(prefix) ?? 0) >= 3;
        return isLocked ? page(423) : handle(request);
      };
    },
  },
};

/** The state when the second key sends a request: how many it sent before, and the time since the last 429 of another key, in milliseconds. */
interface SecondKeyState {
  readonly sent: number;
  readonly since429: number;
}

/** How soon after the first key’s 429 the other client sends its requests, in milliseconds. */
const SOON_MS = 5000;

/** Another client exhausts the second key’s quota immediately before each of its requests for which `when` is true. */
function usedByAnother(when: (state: SecondKeyState) => boolean): Seams {
  return {
    wrapLimiter(limiter) {
      let sent = 0;
      let last429 = Number.NEGATIVE_INFINITY;
      return (caller, request, now) => {
        if (caller.id === SECOND_KEY) {
          if (when({ sent, since429: now - last429 })) exhaust(limiter, caller, request, now);
          sent += 1;
          return limiter(caller, request, now);
        }
        const decision = limiter(caller, request, now);
        if (caller.authenticated && !decision.allowed) last429 = now;
        return decision;
      };
    },
  };
}

function exhaust(limiter: Limiter, caller: Caller, request: Request, now: number): void {
  while (limiter(caller, request, now).allowed);
}

function page(status: number): Outcome {
  return {
    kind: 'response',
    status,
    headers: [['Content-Type', 'text/html']],
    body: Buffer.from('<html><title>Blocked</title><p>Your address has been blocked</p></html>'),
  };
}

/** For an hour after so many 401 responses, every request gets the answer of the lockout, or those without a valid key alone. */
function lockingOut(
  after: number,
  locked: Outcome,
  whom: 'every request' | 'unauthorized requests' = 'every request',
): Seams {
  return {
    wrapService(handle, { now }) {
      let [failed, until] = [0, 0];
      return (request) => {
        const isLocked = now() < until;
        if (isLocked && whom === 'every request') return locked;
        const outcome = handle(request);
        if (outcome.kind === 'dropped' || outcome.status !== 401) return outcome;
        failed += 1;
        if (failed === after) until = now() + HOUR_MS;
        return isLocked ? locked : outcome;
      };
    },
  };
}

/** Characters by which a key names its account. */
const PREFIX = 14;
