import type { Seams } from '../../seams.ts';
import type { Outcome, Request, RequestHandler } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import type { StatedVariants } from './variant.ts';
import { incomplete } from './variant.ts';

const HOUR_MS = 3_600_000;
const OPEN = 'the run was locked out before every request without a valid key was answered';
const OF_CREDENTIALS = ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4'] as const;

/** What a lockout answers in place of the service. */
type Locked = (request: Request) => Outcome;

/** Conforming services, and what stands before them, that lock out an address or a key after requests without a valid key. */
export const lockouts: StatedVariants = {
  'address-locked-out-after-forty': {
    topic: 'K87',
    description: 'After forty 401 responses an address gets a page with 403, with a valid key as well.',
    expected: incomplete(OPEN, OF_CREDENTIALS),
    seenIn: 'intrusion prevention that reads the log of a service',
    ...lockingOutAddress(40, page(403)),
  },
  'address-locked-out-after-five': {
    topic: 'K87',
    description: 'After five 401 responses an address gets a page with 403, with a valid key as well.',
    expected: incomplete(OPEN, [...OF_CREDENTIALS, 'AUTH-5', 'AUTH-6']),
    seenIn: 'fail2ban with its usual number of attempts, before an answer that a web server gives',
    ...lockingOutAddress(5, page(403)),
  },
  'address-dropped-after-twenty': {
    topic: 'K87',
    description: 'After twenty 401 responses no request of an address is answered.',
    expected: incomplete(OPEN, OF_CREDENTIALS),
    seenIn: 'fail2ban with a firewall that drops packets',
    ...lockingOutAddress(20, () => ({ kind: 'dropped' })),
  },
  'address-limited-after-twenty': {
    topic: 'K87',
    description:
      'After twenty 401 responses an address gets a page with 429 and no further headers, with a valid key as well.',
    expected: incomplete(OPEN, OF_CREDENTIALS),
    seenIn: 'rate-based rules of web application firewalls',
    ...lockingOutAddress(20, page(429)),
  },
  'failed-logins-locked-out': {
    topic: 'K87',
    description: 'After eight 401 responses an address gets 403 for requests without a valid key.',
    expected: incomplete(OPEN, OF_CREDENTIALS),
    seenIn: 'limiters of failed logins',
    ...lockingOutFailures(8, page(403)),
  },
  'key-locked-out-by-similar-keys': {
    topic: 'K87',
    description: 'After three keys that begin like a valid one, that key gets 423.',
    expected: incomplete(OPEN, ['AUTH-2', 'AUTH-3', 'AUTH-4']),
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
        return isLocked ? page(423)(request) : handle(request);
      };
    },
  },
};

function page(status: number): Locked {
  return () => ({
    kind: 'response',
    status,
    headers: [['Content-Type', 'text/html']],
    body: Buffer.from('<html><title>Blocked</title><p>Your address has been blocked</p></html>'),
  });
}

const isUnauthorized = (outcome: Outcome): boolean => outcome.kind === 'response' && outcome.status === 401;

/** For an hour after so many 401 responses, every request gets the answer of the lockout. */
function lockingOutAddress(after: number, locked: Locked): Seams {
  return countingFailures(after, (isLocked, request, handle) =>
    isLocked ? locked(request) : handle(request),
  );
}

/** The same for requests without a valid key alone. */
function lockingOutFailures(after: number, locked: Locked): Seams {
  return countingFailures(after, (isLocked, request, handle) => {
    const outcome = handle(request);
    return isLocked && isUnauthorized(outcome) ? locked(request) : outcome;
  });
}

function countingFailures(
  after: number,
  answer: (isLocked: boolean, request: Request, handle: RequestHandler) => Outcome,
): Seams {
  return {
    wrapService(handle, { now }) {
      let [failed, until] = [0, 0];
      return (request) => {
        const outcome = answer(now() < until, request, handle);
        if (isUnauthorized(outcome)) failed += 1;
        if (failed === after) until = now() + HOUR_MS;
        return outcome;
      };
    },
  };
}

/** Characters by which a key names its account. */
const PREFIX = 14;
