import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { inTurn } from '../../../evaluation/testing/suites/uses.ts';
import { Evidence } from './evidence.ts';

/** Requests that are alike but for their answers, by the key where no letter says otherwise, and the numbers of those that prove something. */
const inTurns: Readonly<Record<string, string>> = {
  'K200 K200': '1 2',
  'K429 K200': '2',
  'O429 O200': '1 2',
  'K200 K429': '1 2',
  'K503 K200': '2',
  'K500 K200': '2',
  'K500 K200 K500 K200 K500 K200': '1 2 3 4 5 6',
  'K500 K200 K500 K200': '2 4',
  'K400 K200': '1 2',
  'K- K200': '1 2',
};

const limited: StagedExchange = { status: 429, left: 0 };

const others: Readonly<Record<string, readonly [sent: readonly StagedExchange[], proving: string]>> = {
  'accepted after a 429 of the key in another form': [
    [{ ...limited, caller: 'unspecified' }, { caller: 'unspecified' }],
    '2',
  ],
  'accepted after a kept connection was closed': [[{ noResponse: 'reset' }, {}], '2'],
};

const rows = [
  ...Object.entries(inTurns).map(([sent, proving]) => [sent, inTurn(sent), proving] as const),
  ...Object.entries(others).map(([what, [sent, proving]]) => {
    const run = new Synthesis().add(...sent.map((one) => ({ probe: 'preflight', ...one })));
    return [what, run.exchanges, proving] as const;
  }),
];

for (const [what, exchanges, proving] of rows) {
  test(`what proves something of requests: ${what}`, () => {
    const found = new Evidence(RUN, [RUN, ...exchanges]).of('preflight');
    assert.equal(found.map(({ n }) => n).join(' '), proving);
  });
}
