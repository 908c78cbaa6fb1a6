import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Scenario } from '../model/profile.ts';
import type { Sample, ScenarioEvent, Trace } from '../model/sample.ts';
import type { K6Ending } from './ending.ts';
import { endingOf } from './ending.ts';
import type { Told } from './samples.ts';
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
  outcome: { kind: 'answer', status: 200, limit: '60', date: 'ü "told": \u2028' },
});
const finished: ScenarioEvent = { kind: 'finished', key: 'key', at: 2000, requests: 2 };

const lineOf = (metric: string, told: unknown): string =>
  JSON.stringify({
    metric,
    type: 'Point',
    data: { value: 1, tags: {}, metadata: { told: JSON.stringify(told) } },
  });
const request = (told: unknown): string => lineOf('petstore_request', told);
const other = JSON.stringify({ metric: 'http_reqs', type: 'Point', data: { value: 1 } });

function read(text: string, pieceBytes = 1 << 20) {
  const heard: Told[] = [];
  const reader = new SampleReader((told) => heard.push(told));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.take(bytes.subarray(at, at + pieceBytes));
  reader.end();
  return { ...reader.trace, damage: reader.damage, heard };
}

describe('the reader of samples', () => {
  const whole = `${[other, request(sample(1)), other, request(sample(2)), lineOf('petstore_event', finished)].join('\n')}\n`;

  for (const pieceBytes of [1, 7, 64, 1 << 20]) {
    test(`reads pieces of ${pieceBytes} bytes`, () => {
      const { samples, events, damage, heard } = read(whole, pieceBytes);
      assert.deepEqual([samples, events, damage], [[sample(1), sample(2)], [finished], []]);
      assert.equal(heard.length, 3);
    });
  }

  test('nothing at all is no damage', () => assert.deepEqual(read('').damage, []));

  test('reports a last line that is cut, also inside a character', () => {
    for (const cut of [1, 5, 40]) {
      const bytes = Buffer.from(`${whole}${request(sample(3))}`);
      const reader = new SampleReader();
      reader.take(bytes.subarray(0, bytes.length - cut));
      reader.end();
      assert.equal(reader.trace.samples.length, 2);
      assert.match(reader.damage.join(), /^Line 6 of the samples is cut off/);
    }
  });

  const damaged: readonly (readonly [string, string])[] = [
    ['no JSON', 'oops'],
    ['JSON of another kind', '[1]'],
    ['a sample that is no JSON', '{"data":{"metadata":{"told":"{"}}}'],
    ['a sample without its time', request({ ...sample(1), sent: 'now' })],
    ['a sample without an outcome', request({ ...sample(1), outcome: undefined })],
    ['a sample of another operation', request({ ...sample(1), operation: 'delete' })],
    ['an answer without a status', request({ ...sample(1), outcome: { kind: 'answer' } })],
    [
      'a header that is no text',
      request({ ...sample(1), outcome: { kind: 'answer', status: 200, limit: 60 } }),
    ],
    ['an event of another kind', lineOf('petstore_event', { ...finished, kind: 'dreams' })],
    ['a sample in the place of an event', lineOf('petstore_event', sample(1))],
    ['a sample of another metric', lineOf('http_reqs', sample(1))],
  ];
  for (const [name, line] of damaged) {
    test(`reports ${name}, and reads on`, () => {
      const { samples, events, damage } = read(`${line}\n${whole}`);
      assert.equal(damage.length, 1, damage.join());
      assert.match(damage[0] ?? '', /^Line 1 of the samples /);
      assert.deepEqual([samples.length, events.length], [2, 1]);
    });
  }

  test('complains twenty times and no more', () =>
    assert.equal(read('oops\n'.repeat(1000)).damage.length, 20));
});

describe('how a run of k6 ended', () => {
  const scenario: Scenario = { key: 'key', steps: [{ kind: 'preflight' }] };
  const beside: Scenario = { key: 'disposable', steps: [{ kind: 'preflight' }] };
  const good: Trace = { samples: [sample(1), sample(2)], events: [finished] };
  const stopped = (because: 'banned' | 'script', key: Scenario['key'] = 'key'): ScenarioEvent => ({
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
    lastWords: 'last words',
    trace: good,
    damage: [],
  };
  const rows: readonly (readonly [string, Partial<K6Ending>, string, RegExp])[] = [
    ['all is told', {}, 'finished', /Every request/],
    ['a threshold was missed', { code: 99 }, 'finished', /Every request/],
    ['the user ended it', { interrupted: true, code: 105 }, 'interrupted', /^The user/],
    ['somebody else did', { code: 105 }, 'interrupted', /^Somebody else ended k6\.$/],
    ['something killed it', { code: null, signal: 'SIGKILL' }, 'interrupted', /\(SIGKILL\)\.$/],
    [
      'the configuration is wrong',
      { code: 104 },
      'failed',
      /^k6 found its configuration wrong \(last words\)\.$/,
    ],
    ['the script failed', { code: 107 }, 'failed', /^the script of k6 failed/],
    ['the script ended it without a word', { code: 108 }, 'failed', /^the script ended the run/],
    ['k6 crashed', { code: 109 }, 'failed', /^k6 crashed/],
    ['a code that nobody knows', { code: 77 }, 'failed', /^k6 ended with code 77/],
    [
      'a lane stopped',
      { code: 108, trace: { ...good, events: [stopped('banned')] } },
      'stopped',
      /^Key key: the key was banned \(the detail\)\.$/,
    ],
    [
      'a lane threw',
      { code: 108, trace: { ...good, events: [stopped('script')] } },
      'failed',
      /^The script failed: the detail\.$/,
    ],
    ['damage', { damage: ['Line 7.'] }, 'failed', /damaged: Line 7\.$/],
    [
      'a lane never ended',
      { trace: { ...good, events: [] } },
      'failed',
      /all were well.*, but the lane of key never ended \(2 requests/,
    ],
    [
      'a request was not told of',
      { trace: { ...good, samples: [sample(1)] } },
      'failed',
      /of the 2 requests of key only 1/,
    ],
    [
      'nothing was told',
      { code: 99, trace: { samples: [], events: [] } },
      'failed',
      /thresholds missed.*never ended \(0 requests/,
    ],
  ];
  for (const [name, changed, how, because] of rows) {
    test(name, () => {
      const ended = endingOf({ ...ending, ...changed }, [scenario]);
      assert.equal(ended.how, how);
      assert.match(ended.because, because);
    });
  }

  test('a sacrificial key that is lost is no reason to call the run stopped', () => {
    const events = [finished, stopped('banned', 'disposable')];
    assert.equal(endingOf({ ...ending, trace: { ...good, events } }, [scenario, beside]).how, 'finished');
  });
});
