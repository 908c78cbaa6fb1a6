import type { Break } from './break.ts';
import { leavesOpen, missed, violates } from './break.ts';

/** What goes wrong where processes share a Redis, and other scripts that conform. */
export const redisBreaks: readonly Break[] = [
  leavesOpen('fixed-window', 'INCR, and PEXPIRE after the first one, in a script', 'open'),
  leavesOpen('sliding-log', 'A sorted set of the times of all requests', 'open'),
  leavesOpen('gcra', 'GCRA in a script, with a burst of the limit', 'open'),
  leavesOpen(
    'limits-in-memory',
    'A process remembers a 429 and does not ask Redis until its Retry-After',
    'open',
  ),
  leavesOpen('clock-minutes-behind', 'The clock of the service is seven minutes behind', 'open'),
  leavesOpen(
    'anonymous-share-of-thirty',
    'Requests without a key are limited to 30 for each address',
    'open',
  ),
  leavesOpen(
    'bans-after-five',
    'Five more requests after a 429 ban the key for two windows, as announced',
    'open',
  ),
  missed(
    violates(
      ['expire-after-each', 'EXPIRE after every INCR: each request restarts the window', 'plans'],
      'LIMIT-4',
      'LIMIT-2',
    ),
    'A run that ends its first window in a second does not show it. With --thorough LIMIT-4 fails.',
  ),
  missed(
    violates(['expire-forgotten', 'INCR without EXPIRE: the limit never comes back', 'retry'], 'RETRY-3'),
    'Another client that keeps sending would look the same. With --exclusive-key RETRY-3 fails.',
  ),
  violates(
    ['log-member-in-tenths', 'ZADD with tenths of a second as the member: one request for each', 'exceeds'],
    'LIMIT-1',
    'LIMIT-6',
  ),
  missed(
    violates(
      ['log-member-in-ms', 'ZADD with the millisecond as the member: one request for each', 'exceeds'],
      'LIMIT-1',
      'LIMIT-6',
    ),
    'In a minute of six seconds as many may flow back as are lost. With 60 seconds LIMIT-1 fails.',
  ),
  missed(
    violates(
      ['weight-inverted', 'The sliding counter weighs the earlier window the wrong way round', 'plans'],
      'LIMIT-1',
      'LIMIT-2',
      'RATE-7',
    ),
    'It shows only at some phases of the window after a busy one, and looks like another client of the key there.',
  ),
  missed(
    violates(['half-the-window', 'The window lasts half a minute', 'plans'], 'LIMIT-4'),
    'The allowance of two seconds for clocks hides it in a minute of six seconds. With 60 seconds LIMIT-4 fails.',
  ),
  violates(
    ['counted-in-each-process', 'Each process counts for itself', 'exceeds'],
    'LIMIT-6',
    'RATE-7',
    'LIMIT-1',
  ),
  violates(
    ['get-then-set', 'GET, and SET five milliseconds later: not atomic', 'exceeds'],
    'LIMIT-6',
    'RATE-7',
    'LIMIT-1',
  ),
  violates(
    ['synchronized-each-second', 'Processes add up their counts once a second', 'exceeds'],
    'LIMIT-6',
    'RATE-7',
    'LIMIT-1',
  ),
  missed(
    violates(
      ['tokens-leased-by-tens', 'Each process takes ten requests of the quota at a time', 'remaining'],
      'RATE-7',
      'RATE-8',
      'LIMIT-2',
    ),
    'The falls of Remaining look like another client of the key, so RATE-7 is inconclusive; another run failed it.',
  ),
  violates(
    ['counted-after-the-response', 'A request is counted 60 ms after its response', 'exceeds'],
    'LIMIT-6',
    'RATE-7',
    'LIMIT-1',
  ),
  missed(
    violates(
      [
        'open-after-ninety',
        'After ninety requests the limiter loses its store and accepts everything',
        'exceeds',
      ],
      'LIMIT-1',
      'RATE-7',
    ),
    'It begins after the first window. With --thorough RATE-7 fails.',
  ),
  missed(
    violates(
      [
        'four-counters-at-most',
        'Counters of credentials, valid or not: a fifth one displaces the oldest',
        'exceeds',
      ],
      'LIMIT-1',
      'LIMIT-6',
      'RATE-7',
    ),
    'Unknown keys restore the quota; a run sends them once it is exhausted. With --thorough LIMIT-1 and LIMIT-6 fail.',
  ),
  violates(
    ['clocks-apart', 'Processes name the window by clocks that are a third of it apart', 'exceeds'],
    'LIMIT-6',
    'RATE-7',
    'LIMIT-1',
  ),
  violates(
    ['one-in-ten-counted-as-ten', 'One request in ten is counted, as ten', 'remaining'],
    'RATE-7',
    'LIMIT-1',
    'LIMIT-2',
  ),
  violates(
    ['remaining-from-a-lagging-replica', 'One process reads Remaining 300 ms late', 'remaining'],
    'RATE-7',
  ),
  violates(
    ['ttl-of-a-key-that-is-gone', 'Retry-After is -2, the TTL of a key that is gone', 'retry'],
    'RETRY-2',
  ),
  missed(
    violates(['limited-resets-the-counter', 'A 429 deletes the counter', 'exceeds'], 'LIMIT-1'),
    'It takes two requests beyond the limit. With a disposable key LIMIT-1 fails.',
  ),
  missed(
    violates(
      ['ten-percent-more', 'A tenth more is accepted, under a Remaining that is at first 59', 'exceeds'],
      'LIMIT-1',
      'RATE-7',
    ),
    'In a minute of six seconds Reset does not stand still for long enough to prove it. With 60 seconds RATE-7 fails.',
  ),
  violates(['bad-requests-cost-two', 'A creation that gets 400 is counted twice', 'remaining'], 'RATE-7'),
];
