import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paced, preflight, scheduled } from '../../evaluation/testing/load/rows.ts';
import type { StagedRun, StagedSample } from '../../evaluation/testing/load/runs.ts';
import { judgeLoad, runOf } from '../../evaluation/testing/load/runs.ts';

/** What is special about some of twenty requests, by their places. */
const SPECIAL: Readonly<Record<number, Partial<StagedSample>>> = {
  3: { status: 429 },
  4: { silent: true },
  5: { silent: true },
  6: { status: 500 },
  9: { took: 510 },
  12: { took: 990 },
};

/** Two requests for each tenth of a run. */
const TENTHS: StagedRun = {
  ...scheduled(20),
  samples: scheduled(20).samples.map((one, i) => ({ ...one, ...SPECIAL[i] })),
};

/** A burst that begins with the response before it, ends when the request after it was due, and is followed by one more. */
const SPIKE: StagedRun = {
  scenarios: [['key', [paced(2, 1000), { kind: 'burst', requests: 2, concurrency: 2 }, paced(1, 500)]]],
  samples: [
    { at: 500, planned: 500 },
    { at: 1000, planned: 1000, took: 100 },
    { step: 1, at: 1100, took: 300 },
    { step: 1, at: 1101, took: 399 },
    { step: 2, at: 1600, planned: 1500, took: 20 },
  ],
};

/** Three keys, each with its turn within half a second, and the moment at which it starts. */
const KEYS = [
  ['fleet-1', 0.5, 0],
  ['fleet-2', 1, 100],
  ['fleet-3', 0.75, 300],
] as const;

/** The requests of each: steps of two, one and two, the second with a slow response, the third with errors. */
const STEPPED: readonly Omit<StagedSample, 'at'>[] = [
  ...[{ step: 1 }, { step: 1 }],
  { step: 2, took: 1250 },
  ...[
    { step: 3, status: 503 },
    { step: 3, status: 503 },
  ],
];

const STEPS: StagedRun = {
  scenarios: KEYS.map(([key, turn]) => [
    key,
    [preflight, ...[2, 1, 2].map((requests) => ({ ...paced(requests, 500 * requests), turn }))],
  ]),
  samples: KEYS.flatMap(([key, turn, start]) => [
    { key, at: 0 },
    ...STEPPED.map((one, i): StagedSample => {
      const at = start + 500 * (i + turn);
      return { key, ...one, at, planned: at };
    }),
  ]),
};

/** Name, seconds, requests, offered and accepted in a second, median, 99th percentile, errors, 429 responses, result. */
const FIGURES = [
  [
    'the tenths of a soak',
    'STEADY',
    TENTHS,
    [
      'tenth 1 0.95 2 2.105 2.105 10 10 0 0 ',
      'tenth 2 0.95 2 2.105 1.053 10 10 0 1 ',
      'tenth 3 0.95 2 2.105 0 null null 2 0 ',
      'tenth 4 0.95 2 2.105 1.053 10 10 1 0 ',
      'tenth 5 0.95 2 2.105 1.652 10 510 0 0 ',
      'tenth 6 0.95 2 2.105 2.105 10 10 0 0 ',
      'tenth 7 0.95 2 2.105 1.55 10 990 0 0 ',
      'tenth 8 0.95 2 2.105 2.105 10 10 0 0 ',
      'tenth 9 0.95 2 2.105 2.105 10 10 0 0 ',
      'tenth 10 0.95 2 2.105 2.083 10 10 0 0 ',
    ],
  ],
  [
    'the parts of a spike',
    'RECOVERS',
    SPIKE,
    [
      'before the burst 0.601 2 4.992 3.328 10 100 0 0 ',
      'burst 0.401 2 7.481 4.988 300 399 0 0 ',
      'after the burst 0.121 1 8.264 8.264 120 120 0 0 ',
    ],
  ],
  [
    'the steps of a rising rate',
    'HOLDS',
    STEPS,
    [
      'step 1 1 6 5 5.53 10 10 0 0 held; the others are compared with it',
      'step 2 0.5 3 6 1.644 1250 1250 0 0 held; the others are compared with it',
      'step 3 1 6 6 0 10 10 6 0 errors',
    ],
  ],
] as const;

for (const [name, id, staged, figures] of FIGURES) {
  test(`${name} have the figures of the requests that were due in them`, () => {
    const phases = judgeLoad(runOf([id], staged)).record.phases ?? [];
    assert.deepEqual(
      phases.map((phase) => Object.values(phase).map(String).join(' ')),
      figures,
    );
  });
}
