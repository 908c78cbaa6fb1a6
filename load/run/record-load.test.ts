import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Scenario, Step } from '../model/profile.ts';
import type { Sample, ScenarioEvent } from '../model/sample.ts';
import { sentRequests } from './record-load.ts';

const sampleOf = (n: number): Sample => ({
  ...{ key: 'key', n, step: 0, kind: 'paced', operation: 'list', planned: null, sent: n, received: n + 1 },
  outcome: { kind: 'answer', status: 200 },
});
const samples = [1, 2, 3].map(sampleOf);
const finished: ScenarioEvent = { kind: 'finished', key: 'key', at: 9, requests: 3 };
const waiting: ScenarioEvent = { kind: 'waiting', key: 'key', at: 9, untilMs: 10, because: 'Retry-After' };

describe('how many requests a key sent', () => {
  const rows: readonly (readonly [
    name: string,
    step: Step,
    events: readonly ScenarioEvent[],
    sent: number,
  ])[] = [
    ['a scenario that recorded its end', { kind: 'burst', requests: 50, concurrency: 6 }, [finished], 3],
    ['a burst without an end', { kind: 'burst', requests: 50, concurrency: 6 }, [], 9],
    ['a wait is not an end', { kind: 'burst', requests: 50, concurrency: 6 }, [waiting], 9],
    [
      'a paced step without an end: as many in flight as the timeout allows',
      { kind: 'paced', requests: 50, overMs: 50_000, turn: 1, operation: 'list' },
      [],
      13,
    ],
    ['a persistent step without an end', { kind: 'persist', requests: 50, everyMs: 2500 }, [], 7],
    ['never more than planned', { kind: 'burst', requests: 5, concurrency: 6 }, [], 5],
  ];
  for (const [name, step, events, sent] of rows) {
    test(name, () => {
      const scenario: Scenario = { key: 'key', steps: [step] };
      assert.deepEqual(sentRequests([scenario], { samples, events }), { key: sent });
    });
  }
});
