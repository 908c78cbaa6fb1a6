import type { Seams } from '../../reference-server/seams.ts';
import type { Reply } from '../faults/answers.ts';
import { mapHeader, onReply, without } from '../faults/answers.ts';
import { onDecision } from '../faults/counting.ts';
import type { Variant } from './variant.ts';
import { conforms, warnedOf } from './variant.ts';

const SECOND = 1000;
const HOUR = 3_600_000;

/** Lawful forms of Reset, and clocks that are wrong. */
export const resetAndClock: readonly Variant[] = [
  {
    id: 'reset-rounded-down',
    row: 'K24',
    says: 'Reset is rounded down to the second.',
    deserves: conforms,
    seen: 'ulule/limiter, koa-ratelimit on Redis',
    ...resetting((resetAt) => resetAt - (resetAt % SECOND)),
  },
  {
    id: 'reset-rounded-up-and-one',
    row: 'K24',
    says: 'Reset is rounded down and a second is added, so that it may lie 61 seconds after Date.',
    deserves: conforms,
    seen: 'Flask-Limiter: int(reset + 1)',
    algorithm: 'fixed-window',
    ...resetting((resetAt) => resetAt - (resetAt % SECOND) + SECOND),
  },
  {
    id: 'reset-jitters',
    row: 'K25',
    says: 'Reset is a second early, exact and a second late in turn within one window.',
    deserves: conforms,
    seen: 'Tyk, which computes it anew from now each time',
    ...resetting((resetAt, turn) => resetAt + ((turn % 3) - 1) * SECOND),
  },
  {
    id: 'reset-with-decimals',
    row: 'K26',
    says: 'Reset is a Unix timestamp with a fraction of a second.',
    deserves: warnedOf('RATE-9'),
    seen: 'Discord, koa-ratelimit 6.0.0 in memory, slowapi 0.1.10',
    ...onEveryReply((reply) =>
      mapHeader(reply, 'X-RateLimit-Reset', (reset) => `${Number(reset) - 1}.851159`),
    ),
  },
  {
    id: 'clock-hours-ahead',
    row: 'K27',
    says: 'The server’s clock is five hours ahead, in Date, in Reset and in a Retry-After that is a date.',
    deserves: conforms,
    seen: 'containers that take local time for UTC',
    ...clockOff(5 * HOUR, true),
  },
  {
    id: 'clock-hours-behind',
    row: 'K27',
    says: 'The server’s clock is seven hours behind, in Date and in Reset.',
    deserves: conforms,
    seen: 'virtual machines that were suspended',
    ...clockOff(-7 * HOUR, false),
  },
  {
    id: 'store-clock-ahead',
    row: 'K28',
    says: 'Reset comes from a store whose clock is a second ahead of the server’s.',
    deserves: conforms,
    seen: 'Redis on another machine',
    ...resetting((resetAt) => resetAt + SECOND),
  },
  {
    id: 'store-clock-behind',
    row: 'K28',
    says: 'Reset comes from a store whose clock is a second behind the server’s.',
    deserves: conforms,
    seen: 'Redis on another machine',
    ...resetting((resetAt) => resetAt - SECOND),
  },
  {
    id: 'no-date-header',
    row: 'K29',
    says: 'No answer has a Date, as a server without a clock may do.',
    deserves: warnedOf('HTTP-2'),
    seen: 'embedded HTTP servers; proxies that answer themselves',
    ...onEveryReply((reply) => without(reply, 'Date')),
  },
];

function onEveryReply(change: (reply: Reply) => Reply): Seams {
  return onReply(() => true, change);
}

/** Writes Reset otherwise, from its moment in milliseconds and the number of the decision. */
function resetting(write: (resetAt: number, turn: number) => number): Seams {
  return {
    wrapLimiter(limiter, around) {
      let turn = 0;
      const { wrapLimiter } = onDecision((decision) => {
        turn += 1;
        return { ...decision, resetAt: write(decision.resetAt, turn) };
      });
      return wrapLimiter?.(limiter, around) ?? limiter;
    },
  };
}

/** Shows every time as a clock would that is off by so many milliseconds; with `dated` Retry-After, too, as a date. */
function clockOff(offMs: number, dated: boolean): Seams {
  return onReply(
    () => true,
    (reply, _, { now }) => {
      const shown = now() + offMs;
      const timed = mapHeader(reply, 'Date', () => new Date(shown).toUTCString());
      const reset = mapHeader(timed, 'X-RateLimit-Reset', (seconds) =>
        String(Number(seconds) + offMs / SECOND),
      );
      if (!dated) return reset;
      return mapHeader(reset, 'Retry-After', (seconds) =>
        new Date(shown + SECOND * Number(seconds)).toUTCString(),
      );
    },
  );
}
