import {
  beside,
  burst,
  bursts,
  evenly,
  exhausted,
  limited,
  paced,
  polites,
  preflight,
  testRows,
} from '../../../evaluation/testing/load/rows.ts';
import type { StagedRun, StagedSample } from '../../../evaluation/testing/load/runs.ts';
import { countdown } from '../../../evaluation/testing/load/runs.ts';

/** Two keys that may be of one account, each with a burst after its first request. */
const twoOfFleet = (one: readonly StagedSample[], another: readonly StagedSample[]): StagedRun => ({
  scenarios: [
    ['fleet-1', [preflight, burst(one.length - 1)]],
    ['fleet-2', [preflight, burst(another.length - 1)]],
  ],
  samples: [
    ...one.map((sample) => ({ ...sample, key: 'fleet-1' as const })),
    ...another.map((sample) => ({ ...sample, key: 'fleet-2' as const })),
  ],
  exclusive: true,
});

/** Twenty keys that are rate-limited after two requests each, and one after six. */
const amongFleet: StagedRun = {
  scenarios: Array.from({ length: 21 }, (_, at) => [`fleet-${at + 1}`, [preflight, burst(at < 20 ? 2 : 6)]]),
  samples: Array.from({ length: 21 }, (_, at) =>
    [...countdown(at < 20 ? 2 : 6, 9), limited(700)].map(
      (one): StagedSample => ({ ...one, key: `fleet-${at + 1}` }),
    ),
  ).flat(),
  exclusive: true,
};

testRows('the limits', {
  'NO-429': {
    pass: {
      none: [bursts(countdown(9, 9)), /None of 9/],
      'none but of the preflight request, of a key in use that then waited': [
        {
          scenarios: [['key', [preflight, { kind: 'await full quota', neededMs: 1000 }, burst(9)]]],
          samples: [limited(0), ...countdown(9, 9, { at: 60_500, step: 2, resets: 120_000 })],
        },
        /after the wait, none of 9 requests was/,
      ],
    },
    fail: {
      'within the limit': [bursts([...countdown(6, 9), limited(700)]), /No conforming limiter/],
      'half a second after quota for two, and less after quota for one': [
        bursts([...countdown(9, 9), limited(1250)]),
        /No conforming limiter/,
      ],
      'within the limit, beside a key that sent too little to be the cause': [
        beside(countdown(2, 9), [...countdown(6, 9), limited(700)]),
        /No conforming limiter/,
      ],
      'twice within the limit': [
        bursts([...countdown(6, 9), limited(700), limited(720)]),
        /2 of 8 requests, such as request 7/,
      ],
      'of a key that counts its own requests, while another sent five': [
        twoOfFleet([...countdown(6, 9), limited(700)], [...countdown(4, 9, { at: 10 }), { at: 490 }]),
        /\(key fleet-1\)\. No conforming limiter/,
      ],
      'of one key that counts its own requests, beside twenty that may be of one account': [
        amongFleet,
        /No conforming limiter/,
      ],
      'of a scheduled request, sooner than another client could use what was left': [
        {
          scenarios: [['key', [paced(7)]]],
          samples: [...countdown(6, 9, { took: 1 }, 1000), limited(5001, { took: 2, wait: '55' })],
        },
        /No conforming limiter/,
      ],
      'after two windows without a request, that left the limit untouched': [
        bursts([
          ...countdown(1, 9),
          ...countdown(4, 9, { at: 130_000, resets: 180_000 }),
          limited(130_400, { wait: '49', resets: 180_000 }),
        ]),
        /No conforming limiter/,
      ],
      'after less than two windows without a request, by a counter that remembers what came before': [
        bursts([
          ...countdown(1, 9),
          { at: 115_000, left: 7, resets: 180_000 },
          ...countdown(3, 6, { at: 122_000, resets: 180_000 }),
          limited(122_400, { wait: '57', resets: 180_000 }),
        ]),
        /No conforming limiter/,
      ],
      'slower than the smallest bucket fills, with a key that no other client uses': [
        { ...bursts([...countdown(6, 9, {}, 6700), limited(40_200, { wait: '3' })]), exclusive: true },
        /No conforming limiter/,
      ],
    },
    inconclusive: {
      'whose Retry-After does not end at its Reset': [
        bursts([...countdown(6, 9), limited(700, { wait: '40' })]),
        /another limit that no header shows/,
      ],
      'of a small bucket': [bursts([...countdown(6, 9), limited(700, { wait: '3' })]), /smaller portions/],
      'of a key that had counted two of its own requests when quota came back, while another sent five': [
        twoOfFleet(
          [...countdown(3, 9), ...countdown(4, 7, { at: 300 }), limited(700)],
          countdown(5, 9, { at: 90 }),
        ),
        /^Key fleet-1: .* Keys of one account may be counted together/,
      ],
      'of a key that counted five of its own requests and then others, while another sent five': [
        twoOfFleet([...countdown(6, 9), { at: 600, left: 2 }, limited(700)], countdown(5, 9, { at: 90 })),
        /Keys of one account may be counted together/,
      ],
      'of a key that was in use at first and counted its own requests later, while another sent six': [
        twoOfFleet(
          [
            { at: 0, left: 7 },
            ...countdown(6, 9, { at: 130_000, resets: 190_000 }),
            limited(130_700, { resets: 190_000 }),
          ],
          countdown(6, 9, { at: 130_010, resets: 190_000 }),
        ),
        /Keys of one account may be counted together/,
      ],
      'slower than the smallest bucket fills, where another client may exhaust the key between two requests':
        [
          bursts([...countdown(6, 9, {}, 6700), limited(40_200, { wait: '3' })]),
          /another client had the time .* --exclusive-key/,
        ],
      'of a day': [bursts([...countdown(6, 9), limited(700, { wait: '4000' })]), /another limit/],
      'of another client, by chance at every second request': [
        bursts([...[9, 8, 6, 5, 3, 2, 0].map((left, i) => ({ at: 100 * i ** 2, left })), limited(3700)]),
        /another client may be using/,
      ],
      'of the first request, whatever wait it announces': [
        bursts([limited(0, { wait: '4000' }), ...countdown(3, 9, { at: 100 })]),
        /in use when the run began/,
      ],
      'after use before the run': [bursts([...countdown(3, 6), limited(700)]), /in use when the run began/],
      'another client during a burst that was sent at once': [
        bursts([
          ...countdown(1, 9),
          ...[7, 6, 4, 3, 1, 0].map((left) => ({ at: 100 + left, took: 300, left })),
          limited(450),
        ]),
        /showed Remaining [013] of 10, where this run alone had used 7 at most: another client/,
      ],
      'another client during a burst, the first request of which was answered last': [
        bursts([
          ...[
            { at: 0, left: 9 },
            { at: 99, took: 800 },
            { at: 100, took: 30, left: 4 },
          ],
          ...[500, 520, 540].map((at) => ({ at, left: null })),
          limited(560),
        ]),
        /Request 3 showed Remaining 4 of 10, where this run alone had used 3 at most: another client/,
      ],
      'another client, shown after two windows without a request': [
        bursts([
          ...countdown(1, 9),
          ...countdown(4, 7, { at: 120_010, resets: 180_000 }),
          limited(120_410, { resets: 180_000 }),
        ]),
        /After two windows without a request of this run Remaining was 7 of 10, not 9/,
      ],
      'another client before the burst began': [
        bursts([...countdown(1, 9), limited(30_000, { wait: '29' })]),
        /Since a response showed quota for it, another client had the time/,
      ],
    },
  },
  FLOOR: {
    pass: {
      'all of it': [bursts(exhausted), /All 10 were accepted/],
      'all of it, by late headers': [
        bursts([...countdown(1, 9), ...countdown(9, 9, { at: 100 }), limited(1000)]),
        /All 10 were accepted/,
      ],
      'the preflight request showed the key in use, and two windows passed': [
        bursts([...countdown(1, 4), ...countdown(9, 9, { at: 130_000 })]),
        /9 of 10 were accepted within one window, and the preflight request in another/,
      ],
      'a sliding counter whose window began anew while nothing was sent, and that still weighs the preflight request':
        [
          bursts([...countdown(1, 9), ...countdown(9, 8, { at: 80_000 }), limited(81_000, { wait: '35' })]),
          /9 of 10 were accepted within one window, and the preflight request in another/,
        ],
    },
    fail: {
      'all but one': [
        bursts([...countdown(9, 9), limited(900), limited(950)]),
        /10 accepted requests within one window.*no more than 9, and a 429 for request 10/,
      ],
    },
    inconclusive: {
      'evenly sent': [evenly, /No key sent as many requests as its limit without a pause/],
      'where the clock of the target was set back': [
        bursts(exhausted.map((one, at) => ({ ...one, aheadMs: at < 5 ? 20_000 : 0 }))),
        /the Date of the target went back by 21 s/,
      ],
      'where the clock of the target was set': [
        bursts(exhausted.map((one, at) => ({ ...one, aheadMs: at < 5 ? 0 : 20_000 }))),
        /the Date of the target went ahead by 20 s/,
      ],
      'too slowly': [bursts(countdown(10, 9, {}, 20_000)), /not sent within one window/],
      'each answer slower than a window': [
        bursts(countdown(10, 9, { took: 70_000 })),
        /Only 0 of 10 were accepted within one window/,
      ],
      'where connections were lost': [
        bursts(countdown(13, 9).map((one, at) => ({ ...one, silent: at > 7 }))),
        /Only 8 of 10 .* 5 requests got another response, or none, such as request 9/,
      ],
      'after a window without a request, that left the limit untouched by late headers of a counter': [
        bursts([
          ...countdown(8, 9),
          ...countdown(4, 9, { at: 72_000, resets: 120_000 }),
          limited(72_400, { wait: '48', resets: 120_000 }),
        ]),
        /Only 8 of 10 were accepted within one window\. 1 request got another response, or none, such as request 13/,
      ],
    },
  },
  CEILING: {
    pass: {
      'rate-limited in time': [bursts(exhausted), /no more were accepted/],
      'nine without a pause, after a preflight request in another window': [
        bursts([...countdown(1, 9), ...countdown(9, 9, { at: 130_000, resets: 180_000 })]),
        /did not exceed together/,
      ],
      'all of the limit and no more': [bursts(countdown(10, 9)), /did not exceed together/],
      'one too many, where Reset may follow the clock': [
        bursts([...countdown(11, 9), limited(1100)]),
        /no more were accepted/,
      ],
    },
    fail: {
      'all of the limit, of which Remaining shows nothing': [
        bursts(countdown(10, 9, {}, 300).map((one) => ({ ...one, left: 9 }))),
        /Remaining 9 on request 4 after 3 accepted ones/,
      ],
      'one too many, while Reset stood still': [
        bursts([...countdown(11, 9, {}, 300), limited(3300)]),
        /at most 10 accepted.*received 11, up to request 11\. /,
      ],
      'more than the limit and what flows back, in answers of nine seconds under one Reset': [
        bursts(countdown(18, 9, { took: 9000 }, 500)),
        /at most 13 accepted.*received 14/,
      ],
    },
    inconclusive: {
      'no 429, over two windows': [bursts(countdown(13, 9, {}, 9000)), /may have given back/],
      'all of the limit, evenly': [evenly, /No key sent as many requests as its limit without a pause/],
      'no more than eight without a pause': [
        bursts([...countdown(8, 9), ...countdown(2, 9, { at: 130_000, resets: 180_000 })]),
        /No key sent as many requests as its limit without a pause/,
      ],
    },
  },
  'RATE-LIMITED': {
    pass: {
      'with Retry-After': [bursts(exhausted), /1 429 response came/],
    },
    fail: {
      without: [
        bursts([...exhausted.slice(0, 10), { at: 1000, status: 429, left: 0 }]),
        /none on the 429 of request 11/,
      ],
      'with nonsense': [
        bursts([...exhausted.slice(0, 10), limited(1000, { wait: 'soon' })]),
        /received "soon"/,
      ],
      never: [
        bursts(countdown(14, 9)),
        /received none\..*received 12, up to request 12; in all, 14 were accepted in 1.31 s, without any 429\. /,
      ],
    },
    inconclusive: {
      'never, where connections were lost': [
        bursts(countdown(13, 9).map((one, at) => ({ ...one, silent: at > 7 }))),
        /only 8 were accepted, which does not exceed the limit of 10/,
      ],
      'never, and exactly the limit was sent': [bursts(countdown(10, 9)), /No key sent more than its limit/],
      'never, slowly': [bursts(countdown(13, 9, {}, 9000)), /given back/],
    },
  },
  REMAINING: {
    pass: {
      kept: [bursts(exhausted), /Each of 9 requests/],
    },
    fail: {
      broken: [
        bursts([...countdown(6, 9), limited(700)]),
        /429 for request 7, right after Remaining 4 on request 6/,
      ],
      'by the first of two 429 responses at once, of which the second is about another limit': [
        bursts([...countdown(6, 9), limited(700, { took: 20 }), limited(705, { took: 20, wait: '4000' })]),
        /429 for request 7, right after Remaining 4/,
      ],
      'twice at the same Remaining': [
        polites([
          ...countdown(6, 9),
          limited(700, { left: 4 }),
          ...countdown(6, 9, { at: 60_800, resets: 120_000 }),
          limited(61_600, { left: 4, resets: 120_000, wait: '58' }),
        ]),
        /429 for request 7, right after Remaining 4 on request 6/,
      ],
      'twice at the same Remaining, the second time after two requests': [
        polites([
          ...countdown(6, 9),
          limited(700, { left: 4 }),
          ...countdown(2, 5, { at: 60_800, resets: 120_000 }),
          limited(61_600, { left: 4, resets: 120_000, wait: '58' }),
        ]),
        /429 for request 7, right after Remaining 4 on request 6/,
      ],
    },
    inconclusive: {
      'twice at the same Remaining, the second time after a request alone': [
        polites([
          ...countdown(6, 9),
          limited(700, { left: 4 }),
          { at: 60_800, left: 4, resets: 120_000 },
          limited(61_600, { left: 4, resets: 120_000, wait: '58' }),
        ]),
        /not again at the same Remaining/,
      ],
      'twice at the same Remaining, the first time after a request alone; another came when the wait ended': [
        polites([
          { at: 0, left: 9 },
          limited(700, { left: 9 }),
          { at: 59_710, left: 10, resets: 120_000 },
          { at: 60_000, left: 9, resets: 120_000 },
          limited(60_800, { left: 9, resets: 120_000 }),
        ]),
        /not again at the same Remaining/,
      ],
      'twice at the same Remaining, the second time before the first wait was over': [
        polites([
          ...countdown(6, 9),
          limited(700, { left: 4 }),
          limited(980, { left: 4 }),
          { at: 59_800, left: 5, resets: 120_000 },
          { at: 59_900, left: 4, resets: 120_000 },
        ]),
        /not again at the same Remaining/,
      ],
      'once, by a 429 that shows quota, too, as that of a day behind the headers of the minute': [
        bursts([...countdown(6, 9), limited(700, { left: 4 })]),
        /not again at the same Remaining after its wait.*run the profile backoff/,
      ],
      'again at another Remaining': [
        polites([
          ...countdown(6, 9),
          limited(700, { left: 4 }),
          ...countdown(10, 9, { at: 60_800, resets: 120_000 }),
          limited(62_000, { resets: 120_000, wait: '58' }),
        ]),
        /not again at the same Remaining/,
      ],
      'once, two windows after the limit was reached': [
        polites([
          ...countdown(10, 9),
          limited(1000),
          ...countdown(6, 9, { at: 190_500, resets: 240_000 }),
          limited(191_200, { left: 4, resets: 240_000, wait: '49' }),
        ]),
        /not again at the same Remaining/,
      ],
      'once, over a new connection': [
        bursts([...countdown(6, 9), limited(700, { left: 4, opened: true })]),
        /a limit of new connections that a firewall has/,
      ],
      'of a small bucket, over a new connection': [
        bursts([...countdown(6, 9), limited(700, { wait: '2', opened: true })]),
        /enforced in smaller portions.* a firewall may limit how fast connections are opened/,
      ],
      'of a small bucket': [
        bursts([...countdown(6, 9), limited(700, { wait: '2' })]),
        /enforced in smaller portions/,
      ],
      'none made': [
        bursts(countdown(2, 9).map((one) => ({ ...one, left: null }))),
        /No response showed quota/,
      ],
    },
  },
});
