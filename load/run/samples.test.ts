import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { paced } from '../../evaluation/testing/load/rows.ts';
import { LIMITS } from '../../evaluation/testing/load/runs.ts';
import type { KeyAlias, Scenario, Step } from '../model/profile.ts';
import type { Sample, ScenarioEvent } from '../model/sample.ts';
import type { K6Ending, KeyArrival } from './load-ending.ts';
import { k6EndingOf, outputRemarks } from './load-ending.ts';
import { sentRequests } from './record-load.ts';
import type { ScenarioRecord } from './samples.ts';
import { SampleReader } from './samples.ts';

const sample = (n: number): Sample => ({
  key: 'key',
  n,
  step: 0,
  kind: 'preflight',
  operation: 'list',
  planned: null,
  sent: 1000 + n,
  received: 1001.5 + n,
  outcome: { kind: 'answer', status: 200, limit: '60', date: 'ü "record": \u2028' },
});
const finished: ScenarioEvent = { kind: 'finished', key: 'key', at: 2000, requests: 2 };

function read(text: string, pieceBytes = 1 << 20) {
  const observed: ScenarioRecord[] = [];
  const reader = new SampleReader((record) => observed.push(record));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes));
  return { keys: Object.fromEntries(reader.keys), observed };
}

describe('the reader of samples', () => {
  const complete = [sample(1), sample(2), finished].map((one) => `${JSON.stringify(one)}\n`).join('');

  for (const pieceBytes of [1, 7, 64, 1 << 20]) {
    test(`reads pieces of ${pieceBytes} bytes`, () => {
      const { keys, observed } = read(complete, pieceBytes);
      assert.deepEqual(observed, [sample(1), sample(2), finished]);
      assert.deepEqual(keys, { key: { recorded: 2, end: finished } });
    });
  }

  for (const [name, record] of [
    ['a line that is not JSON', 'oops'],
    ['a sample without its time', { ...sample(1), sent: 'now' }],
    ['a sample of another operation', { ...sample(1), operation: 'delete' }],
    ['a header that is not text', { ...sample(1), outcome: { kind: 'answer', status: 200, limit: 60 } }],
    ['an event of another kind', { ...finished, kind: 'dreams' }],
    ['an event with an outcome', { ...finished, outcome: null }],
  ] as const) {
    test(`leaves out ${name}, and continues reading`, () => {
      const line = record === 'oops' ? record : JSON.stringify(record);
      const { keys } = read(`${line}\n${complete}`);
      assert.deepEqual(keys, { key: { recorded: 2, end: finished } });
    });
  }
});

describe('how k6 ended', () => {
  const arrived = (end: ScenarioEvent): Pick<K6Ending, 'keys'> => ({
    keys: new Map<string, KeyArrival>([['key', { recorded: 2, end }]]),
  });
  const stopped = (because: 'banned' | 'script error', key: KeyAlias = 'key'): ScenarioEvent => ({
    kind: 'stopped',
    key,
    at: 1,
    because,
    detail: 'the detail',
  });
  const ending: K6Ending = {
    code: 0,
    signal: null,
    interrupted: false,
    exceededBytes: undefined,
    lastLine: 'last line',
    ...arrived(finished),
  };
  const rows: Readonly<Record<string, readonly [changed: Partial<K6Ending>, how: string, because: RegExp]>> =
    {
      'it ended by itself': [{}, 'finished', /^k6 ended by itself/],
      'a threshold was not met': [{ code: 99 }, 'finished', /by itself/],
      'the user interrupted it': [{ interrupted: true, code: 105 }, 'interrupted', /^The user/],
      'another process did': [{ code: 105 }, 'interrupted', /^k6 was ended from outside\.$/],
      'a signal killed it': [{ code: null, signal: 'SIGKILL' }, 'interrupted', /\(SIGKILL\)\.$/],
      'it used too much memory': [
        { code: null, signal: 'SIGKILL', exceededBytes: 4e9 },
        'failed',
        /^k6 used more than 4000 MB of memory and was ended/,
      ],
      'it failed': [{ code: 107 }, 'failed', /^k6 ended with exit code 107 \(last line\)\.$/],
      'it failed without a word': [{ code: 109, lastLine: '' }, 'failed', /^k6 ended with exit code 109\.$/],
      'a scenario stopped': [
        { code: 108, ...arrived(stopped('banned')) },
        'stopped',
        /^The key: the key was banned \(the detail\)\.$/,
      ],
      'a scenario threw': [
        { code: 108, ...arrived(stopped('script error')) },
        'failed',
        /^The key: the script failed \(the detail\)\.$/,
      ],
    };
  for (const [name, [changed, how, because]] of Object.entries(rows)) {
    test(name, () => {
      const ended = k6EndingOf({ ...ending, ...changed });
      assert.equal(ended.how, how);
      assert.match(ended.because, because);
    });
  }

  test('a banned disposable key does not make the run stopped', () => {
    const keys = new Map(ending.keys).set('disposable', {
      recorded: 0,
      end: stopped('banned', 'disposable'),
    });
    assert.equal(k6EndingOf({ ...ending, keys }).how, 'finished');
  });
});

describe('how many requests a key sent', () => {
  const burst = (requests: number): Step => ({ kind: 'burst', requests, concurrency: 6 });
  for (const [name, step, sent, end] of [
    ['a scenario that recorded its end', burst(50), 3, finished],
    ['a burst without an end', burst(50), 9],
    ['a paced step without an end: as many in flight as the timeout allows', paced(50, 50_000), 13],
    ['a persistent step without an end', { ...paced(50, 125_000), kind: 'persist' }, 7],
    ['never more than planned', burst(5), 5],
  ] as const) {
    test(name, () => {
      const scenario: Scenario = { key: 'key', limits: LIMITS, steps: [step] };
      assert.deepEqual(sentRequests([scenario], new Map([['key', { recorded: 3, end }]])), { key: sent });
    });
  }
});

const lines = [
  'Failed to send the time series data to the endpoint',
  "Couldn't write stats",
  "can't shutdown OpenTelemetry metric provider",
  '2026/11/22 16:52:08 failed to upload metrics: exporter export timeout',
  'Successful request but it took 7s while flush period is 5s. Some samples may be dropped.',
];

test('a failed write of an additional output becomes a sentence with its first error', () => {
  for (const line of lines)
    assert.match(
      outputRemarks(`one\n${line}\n`, ['x'])[0] ?? '',
      /^Measurements are missing .* k6 reports 1 error of/,
    );
  assert.match(
    outputRemarks(lines.join('\n'), ['x'])[0] ?? '',
    /reports 5 errors .* the first "Failed to send the time series data to the endpoint"\. The verdict/,
  );
});

test('other lines, and a run without additional outputs, give none', () => {
  const others = "Request Failed\nthresholds on metrics 'http_reqs' have been crossed\nslow";
  assert.deepEqual(outputRemarks(others, ['x']), []);
  assert.deepEqual(outputRemarks(lines.join('\n'), []), []);
});
