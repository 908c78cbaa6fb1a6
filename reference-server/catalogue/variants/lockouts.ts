import type { Seams } from '../../seams.ts';
import type { Outcome } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import type { StatedVariants } from './variant.ts';

const HOUR_MS = 3_600_000;
const LOCKED_OUT = {
  inconclusive: ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4'],
  because: 'the run was locked out before every request without a valid key was answered',
} as const;

/** Conforming services, and what stands before them, that lock out an address or a key after requests without a valid key. */
export const lockouts: StatedVariants = {
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
