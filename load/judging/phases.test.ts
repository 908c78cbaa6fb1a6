import { test } from 'node:test';
import { paced, preflight, scheduled } from '../../evaluation/testing/load/rows.ts';
import type { StagedRun, StagedSample } from '../../evaluation/testing/load/runs.ts';
import { judgeLoad, runOf } from '../../evaluation/testing/load/runs.ts';
import { assertPage } from '../../evaluation/testing/tools/page.ts';

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

const RUNS = [
  ['the tenths of a soak', 'STEADY', TENTHS],
  ['the parts of a spike', 'RECOVERS', SPIKE],
  ['the steps of a rising rate', 'HOLDS', STEPS],
] as const;

test('phases have the figures of the requests that were due in them', () => {
  const page = RUNS.map(([name, id, staged]) => {
    const phases = judgeLoad(runOf([id], staged)).record.phases ?? [];
    return [name, ...phases.map((phase) => `  ${JSON.stringify(phase)}`)].join('\n');
  });
  assertPage('load/judging/phases.txt', `${page.join('\n')}\n`);
});
