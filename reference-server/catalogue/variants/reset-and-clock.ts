import type { Seams } from '../../seams.ts';
import { onDecision } from '../wrappers/counting.ts';
import { always, changingHeader, mapHeader, onResponse, removingHeaders } from '../wrappers/responses.ts';
import type { StatedVariants } from './variant.ts';
import { conformsWithWarnings } from './variant.ts';

const SECOND = 1000;
const HOUR = 3_600_000;

/** Conforming forms of Reset, and wrong clocks. */
export const resetAndClock: StatedVariants = {
  'reset-rounded-down': {
    topic: 'K24',
    description: 'Reset is rounded down to the second.',
    seenIn: 'ulule/limiter, koa-ratelimit on Redis',
    ...resetting((resetAt) => resetAt - (resetAt % SECOND)),
  },
  'reset-rounded-up-and-one': {
    topic: 'K24',
    description: 'Reset is rounded down plus one second, so it may be 61 seconds after Date.',
    seenIn: 'Flask-Limiter: int(reset + 1)',
    algorithm: 'fixed-window',
    ...resetting((resetAt) => resetAt - (resetAt % SECOND) + SECOND),
  },
  'reset-jitters': {
    topic: 'K25',
    description: 'Within one window, Reset is in turn a second early, exact and a second late.',
    seenIn: 'Tyk, which computes it from the current time in each response',
    ...resetting((resetAt, turn) => resetAt + ((turn % 3) - 1) * SECOND),
  },
  'reset-with-decimals': {
    topic: 'K26',
    description: 'Reset is a Unix timestamp with a fraction of a second.',
    expected: conformsWithWarnings('RATE-9'),
    seenIn: 'Discord, koa-ratelimit 6.0.0 in memory, slowapi 0.1.10',
    ...changingHeader(always, 'X-RateLimit-Reset', (reset) => `${Number(reset) - 1}.851159`),
  },
  'clock-hours-ahead': {
    topic: 'K27',
    description:
      'The server’s clock is five hours ahead, in Date, in Reset and in Retry-After, which is a date.',
    seenIn: 'containers that use local time as UTC',
    ...clockOff(5 * HOUR, true),
  },
  'clock-hours-behind': {
    topic: 'K27',
    description: 'The server’s clock is seven hours behind, in Date and in Reset.',
    seenIn: 'virtual machines that were suspended',
    ...clockOff(-7 * HOUR, false),
  },
  'clocks-of-instances-apart': {
    topic: 'K27',
    description: 'The clock of every other response is 20 seconds behind, in Date and in Reset.',
    seenIn: 'instances behind one address without a common time service',
    wrapService(handle, context) {
      let responses = 0;
      const behind = clockOff(-20 * SECOND, false).wrapService?.(handle, context) ?? handle;
      return (...request) => {
        responses += 1;
        return responses % 2 === 0 ? behind(...request) : handle(...request);
      };
    },
  },
  'store-clock-ahead': {
    topic: 'K28',
    description: 'Reset comes from a store whose clock is a second ahead of the server’s.',
    seenIn: 'Redis on another machine',
    ...resetting((resetAt) => resetAt + SECOND),
  },
  'store-clock-behind': {
    topic: 'K28',
    description: 'Reset comes from a store whose clock is a second behind the server’s.',
    seenIn: 'Redis on another machine',
    ...resetting((resetAt) => resetAt - SECOND),
  },
  'no-date-header': {
    topic: 'K29',
    description: 'No response has a Date, as is allowed for a server without a clock.',
    expected: conformsWithWarnings('HTTP-2'),
    seenIn: 'embedded HTTP servers; proxies that send responses themselves',
    ...removingHeaders(always, 'Date'),
  },
};

/** Changes Reset, from its time in milliseconds and the number of the decision. */
function resetting(write: (resetAt: number, turn: number) => number): Seams {
  return {
    wrapLimiter(limiter, context) {
      let turn = 0;
      const numbered = onDecision((decision) => {
        turn += 1;
        return { ...decision, resetAt: write(decision.resetAt, turn) };
      });
      return numbered.wrapLimiter(limiter, context);
    },
  };
}

/** Shows every time as on a clock that is wrong by this many milliseconds; with `dated`, Retry-After is such a date, too. */
function clockOff(offMs: number, dated: boolean): Seams {
  return onResponse(always, (response, _, { now }) => {
    const shown = now() + offMs;
    const timed = mapHeader(response, 'Date', () => new Date(shown).toUTCString());
    const reset = mapHeader(timed, 'X-RateLimit-Reset', (seconds) =>
      String(Number(seconds) + offMs / SECOND),
    );
    if (!dated) return reset;
    return mapHeader(reset, 'Retry-After', (seconds) =>
      new Date(shown + SECOND * Number(seconds)).toUTCString(),
    );
  });
}
