import { beyondFive, firewallBefore, pageOf } from '../wrappers/new-connections.ts';
import { turningAway } from './limiters.ts';
import type { Variant } from './variant.ts';
import { conformsWithWarnings, incomplete } from './variant.ts';

const SEEN_IN = 'connection rates of HAProxy (conn_rate) and of web application firewalls';

/** Conforming services behind a firewall that limits how fast connections are opened. */
export const newConnections: readonly Variant[] = [
  {
    id: 'new-connections-limited',
    topic: 'K18',
    description:
      'In addition to the minute, a firewall answers 429 to new connections beyond five in a second.',
    expected: incomplete(
      'The firewall comes before a full bucket of few requests is exceeded, so nothing shows how that is counted.',
      ['LIMIT-6'],
      'LIMIT-2',
      'RATE-8',
    ),
    seenIn: SEEN_IN,
    ...turningAway(() => {
      const isTurned = beyondFive('turned away');
      return (_, request, now) => isTurned(request, now);
    }),
  },
  {
    id: 'new-connections-reset',
    topic: 'K18',
    description: 'A firewall resets new connections beyond five in a second.',
    expected: conformsWithWarnings('HTTP-4'),
    seenIn: 'iptables with connlimit and REJECT, SYN rate limits of load balancers',
    ...firewallBefore(() => ({ kind: 'dropped' })),
  },
  {
    id: 'new-connections-unavailable',
    topic: 'K18',
    description: 'A firewall answers 503 with a page to new connections beyond five in a second.',
    expected: incomplete(
      'The run ends its requests where several in a row get 503, so no 429 shows.',
      [
        'RATE-8',
        'LIMIT-1',
        'LIMIT-2',
        'LIMIT-3',
        'LIMIT-4',
        'LIMIT-6',
        'LIMIT-7',
        'LIMIT-8',
        'RETRY-3',
        'RETRY-4',
      ],
      'HTTP-4',
    ),
    seenIn: 'limit_conn of nginx with its usual status',
    ...firewallBefore(pageOf(503)),
  },
];
