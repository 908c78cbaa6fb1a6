import {
  bursts,
  exhausted,
  limited,
  polite,
  polites,
  preflight,
  testRows,
  waits,
} from '../../../evaluation/testing/load/rows.ts';
import { countdown } from '../../../evaluation/testing/load/runs.ts';

testRows('waiting', {
  RECOVERY: {
    pass: {
      accepted: [
        waits([...exhausted, { at: 61_100, step: 3 }, { at: 61_200, step: 5 }]),
        /request 12|Request 12/,
      ],
    },
    fail: {
      'rate-limited twice': [
        waits([...exhausted, limited(61_100, { step: 3, wait: '5' }), limited(67_200, { step: 5 })]),
        /429 for request 12.* and for request 13 after its own wait of 5 seconds/,
      ],
    },
    inconclusive: {
      'rate-limited once': [
        waits([...exhausted, limited(61_100, { step: 3, wait: '5' }), { at: 67_200, step: 5 }]),
        /rounded down/,
      ],
      'rate-limited once, and recorded after the request that followed': [
        waits([...exhausted, { at: 67_200, step: 5 }, limited(61_100, { step: 3, wait: '5' })]),
        /rounded down/,
      ],
      'rate-limited twice, the second time before the second wait was over': [
        waits([...exhausted, limited(61_100, { step: 3, wait: '5' }), limited(65_900, { step: 5 })]),
        /the next request was not answered, or came before that second wait was over/,
      ],
      'without a step that waits': [
        bursts([...exhausted, limited(61_100, { wait: '5' }), limited(67_200)]),
        /No key waited for a Retry-After/,
      ],
      'too early': [
        waits([...exhausted, limited(50_000, { step: 3 }), limited(50_100, { step: 5 })]),
        /before Retry-After had passed/,
      ],
      'never rate-limited': [
        waits([...countdown(11, 9), { at: 2000, step: 3 }, { at: 2100, step: 5 }]),
        /No 429 came/,
      ],
    },
  },
  GOODPUT: {
    pass: {
      'all of it': [
        polites([...countdown(10, 9), limited(1000), ...countdown(10, 9, { at: 60_500, resets: 120_000 })]),
        /19 requests were accepted/,
      ],
      'all of it, beside a key of another client, which waits for nothing': [
        {
          scenarios: [
            ['key', [preflight, polite(20)]],
            ['other', [preflight]],
          ],
          samples: [
            ...[...countdown(10, 9), limited(1000), ...countdown(10, 9, { at: 60_500, resets: 120_000 })].map(
              (one, i) => ({ step: i === 0 ? 0 : 1, ...one }),
            ),
            { at: 0, key: 'other' },
          ],
        },
        /19 requests were accepted/,
      ],
      'what a wait of 67 seconds leaves, rounded up by the target': [
        polites([...countdown(9, 9), limited(900, { wait: '67' }), { at: 72_000, left: 9 }]),
        /9 requests were accepted, with 1 wait; .* are 9\./,
      ],
    },
    fail: {
      'rate-limited twice after its waits': [
        polites([
          ...countdown(10, 9),
          limited(1000),
          limited(61_100, { wait: '5' }),
          limited(67_200),
          { at: 130_000 },
        ]),
        /429 for request 12.* and for request 13 after its own wait of 5 seconds/,
      ],
      'half of it': [
        polites([
          ...countdown(5, 9),
          limited(500),
          ...countdown(5, 9, { at: 60_500, resets: 120_000 }),
          limited(61_000, { resets: 120_000 }),
          { at: 121_000, left: 9 },
        ]),
        /returned 429: No conforming limiter/,
      ],
    },
    inconclusive: {
      'nothing to wait for': [polites(countdown(5, 9)), /No 429 came/],
    },
  },
  'NO-BAN': {
    pass: {
      'still answered': [polites([...exhausted, { at: 61_000, left: 9 }]), /After 1 429 response/],
    },
    fail: {
      banned: [
        polites([...exhausted, { at: 61_000, status: 403 }]),
        /403 for request 12 after 1 429 response/,
      ],
    },
    inconclusive: {
      'after no wait': [polites([...exhausted, { at: 2000, status: 403 }]), /had not waited for Retry-After/],
      'of a burst that was under way when the limit was reached, the banned request sent first': [
        bursts([
          ...countdown(9, 9),
          { at: 950, took: 900, status: 401 },
          limited(960, { took: 50 }),
          limited(970),
        ]),
        /returned 401. But the key had more than one request under way/,
      ],
      'after no wait, and once more after one': [
        polites([...exhausted, { at: 2000, status: 403 }, { at: 61_000, status: 403 }]),
        /had not waited for Retry-After/,
      ],
      'never accepted before': [
        polites([limited(0), { at: 61_000, status: 403 }]),
        /No request was accepted before request 2 returned 403/,
      ],
      'rate-limited only after the ban': [
        polites([...countdown(5, 9), { at: 600, status: 403 }, limited(610)]),
        /had not been rate-limited before/,
      ],
      'never rate-limited': [polites(countdown(5, 9)), /No 429 came/],
      'of a disposable key': [
        {
          scenarios: [['disposable', [preflight, polite(11)]]],
          samples: [...exhausted, { at: 61_000, status: 403 }].map((one) => ({
            ...one,
            key: 'disposable' as const,
          })),
        },
        /No request was sent/,
      ],
    },
  },
});
