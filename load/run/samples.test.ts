import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LIMITS } from '../../evaluation/testing/load/runs.ts';
import type { LoadEnding } from '../../kernel/findings/load.ts';
import type { Scenario } from '../model/profile.ts';
import type { Sample, ScenarioEvent } from '../model/sample.ts';
import type { K6Ending, KeyArrival } from './load-ending.ts';
import { loadEndingOf } from './load-ending.ts';
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

const request = (record: unknown): string => JSON.stringify(record);

function read(text: string, pieceBytes = 1 << 20) {
  const observed: ScenarioRecord[] = [];
  const reader = new SampleReader((record) => observed.push(record));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes));
  reader.end();
  return { keys: Object.fromEntries(reader.keys), damage: reader.damage, observed };
}

describe('the reader of samples', () => {
  const complete = `${[sample(1), sample(2), finished].map(request).join('\n')}\n`;

  for (const pieceBytes of [1, 7, 64, 1 << 20]) {
    test(`reads pieces of ${pieceBytes} bytes`, () => {
      const { keys, damage, observed } = read(complete, pieceBytes);
      assert.deepEqual([observed, damage], [[sample(1), sample(2), finished], []]);
      assert.deepEqual(keys, { key: { recorded: 2, end: finished } });
    });
  }

  test('an empty file has no damage', () => assert.deepEqual(read('').damage, []));

  test('reports an incomplete last line, even within a character', () => {
    for (const cut of [1, 5, 40]) {
      const bytes = Buffer.from(`${complete}${request(sample(3))}`);
      const reader = new SampleReader();
      reader.push(bytes.subarray(0, bytes.length - cut));
      reader.end();
      assert.equal(reader.keys.get('key')?.recorded, 2);
      assert.match(reader.damage.join(), /^Line 4 of the samples is incomplete/);
    }
  });

  const damaged: readonly (readonly [string, string])[] = [
    ['a line that is not JSON', 'oops'],
    ['JSON of another kind', '[1]'],
    ['a sample that is not JSON', '{"key":}'],
    ['a sample without its time', request({ ...sample(1), sent: 'now' })],
    ['a sample without an outcome', request({ ...sample(1), outcome: undefined })],
    ['a sample of another operation', request({ ...sample(1), operation: 'delete' })],
    ['an answer without a status', request({ ...sample(1), outcome: { kind: 'answer' } })],
    [
      'a header that is not text',
      request({ ...sample(1), outcome: { kind: 'answer', status: 200, limit: 60 } }),
    ],
    ['an event of another kind', request({ ...finished, kind: 'dreams' })],
    ['an event with an outcome', request({ ...finished, outcome: null })],
  ];
  for (const [name, line] of damaged) {
    test(`reports ${name}, and continues reading`, () => {
      const { keys, damage } = read(`${line}\n${complete}`);
      assert.equal(damage.length, 1, damage.join());
      assert.match(damage[0] ?? '', /^Line 1 of the samples /);
      assert.deepEqual(keys, { key: { recorded: 2, end: finished } });
    });
  }

  test('reports twenty problems at most', () => assert.equal(read('oops\n'.repeat(1000)).damage.length, 20));
});

describe('how a run of k6 ended', () => {
  const scenario: Scenario = { key: 'key', limits: LIMITS, steps: [{ kind: 'preflight' }] };
  const beside: Scenario = { ...scenario, key: 'disposable' };
  const arrived = (end: ScenarioEvent | undefined, recorded = 2): Pick<K6Ending, 'keys'> => ({
    keys: new Map<string, KeyArrival>([['key', { recorded, end }]]),
  });
  const stopped = (because: 'banned' | 'script error', key: Scenario['key'] = 'key'): ScenarioEvent => ({
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
    damage: [],
  };
  const rows: Readonly<
    Record<string, readonly [changed: Partial<K6Ending>, how: LoadEnding['how'], because: RegExp]>
  > = {
    'all records exist': [{}, 'finished', /Every planned request/],
    'a threshold was not met': [{ code: 99 }, 'finished', /Every planned request/],
    'the user interrupted it': [{ interrupted: true, code: 105 }, 'interrupted', /^The user/],
    'another process did': [{ code: 105 }, 'interrupted', /^k6 was ended from outside\.$/],
    'a signal killed it': [{ code: null, signal: 'SIGKILL' }, 'interrupted', /\(SIGKILL\)\.$/],
    'it used too much memory': [
      { code: null, signal: 'SIGKILL', exceededBytes: 4e9 },
      'failed',
      /^k6 used more than 4000 MB of memory and was ended/,
    ],
    'the configuration is wrong': [
      { code: 104 },
      'failed',
      /^k6 rejected its configuration \(last line\)\.$/,
    ],
    'the script failed': [{ code: 107 }, 'failed', /^the k6 script failed/],
    'the script aborted it without a record': [{ code: 108 }, 'failed', /^the k6 script aborted the run/],
    'k6 crashed': [{ code: 109 }, 'failed', /^k6 crashed/],
    'an unknown exit code': [{ code: 77 }, 'failed', /^k6 ended with exit code 77/],
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
    damage: [{ damage: ['Line 7.'] }, 'failed', /damaged: Line 7\.$/],
    'a scenario recorded no end': [
      arrived(undefined),
      'failed',
      /reported success.*, but the scenario of the key recorded no end \(2 requests/,
    ],
    'a request was not recorded': [arrived(finished, 1), 'failed', /only 1 of the 2 requests of the key/],
    'nothing was recorded': [
      { code: 99, keys: new Map() },
      'failed',
      /thresholds were not met.*recorded no end \(0 requests/,
    ],
  };
  for (const [name, [changed, how, because]] of Object.entries(rows)) {
    test(name, () => {
      const ended = loadEndingOf({ ...ending, ...changed }, [scenario]);
      assert.equal(ended.how, how);
      assert.match(ended.because, because);
    });
  }

  test('a banned disposable key does not make the run stopped', () => {
    const keys = new Map(ending.keys).set('disposable', {
      recorded: 0,
      end: stopped('banned', 'disposable'),
    });
    assert.equal(loadEndingOf({ ...ending, keys }, [scenario, beside]).how, 'finished');
  });
});
