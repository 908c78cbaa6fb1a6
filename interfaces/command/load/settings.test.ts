import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commandIn } from '../../../evaluation/testing/cli/command.ts';
import { InterruptedError, UserError } from '../../../kernel/basics/errors.ts';
import { fleetOf } from '../../../load/model/key-list.ts';
import { totalOf } from '../../../load/preview.ts';
import type { RecordedLoad } from '../../../load/run/record-load.ts';
import { limitsOf, loadPlans } from '../../../spec/plans.ts';
import { repeated, repetitionsOf } from './repeat-run.ts';
import type { LoadOptions } from './settings.ts';
import { readCapacity, settleLoad } from './settings.ts';

const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const target = 'https://staging.example.com/v1';
const env = { PETSTORE_API_KEY: KEY };
const settingsFor = (profile: string, options: Partial<LoadOptions>, more: Record<string, string> = {}) =>
  settleLoad(profile, { plan: 'free', ...options }, { ...env, ...more });

test('a fleet: the key under test first, whatever separates the others', async (t) => {
  const here = commandIn(t);
  here.write('keys', `key-a1\r\nkey-b2\n\n${KEY}\n`);
  const listed = await settingsFor('spike', { target, fleetKeysFile: here.path('keys') });
  assert.deepEqual(fleetOf(listed.keys), [KEY, 'key-a1', 'key-b2']);
  const { keys, inputs, preview } = await settingsFor(
    'spike',
    { target },
    { PETSTORE_API_KEYS: ' key-a1, key-b2 ' },
  );
  assert.deepEqual(fleetOf(keys), [KEY, 'key-a1', 'key-b2']);
  assert.deepEqual([inputs.fleet, preview.keys.length], [3, 3]);
  assert.deepEqual(fleetOf((await settingsFor('spike', { target })).keys), [KEY]);
});

test('a file of keys with their plans is the fleet, and its first key is under test', async (t) => {
  const here = commandIn(t);
  here.write('keys.csv', `key,plan\n${KEY},free\npk-second,pro\n`);
  const { inputs, keys, subject } = await settingsFor(
    'soak',
    { target, keysFile: here.path('keys.csv') },
    { PETSTORE_API_KEY: '' },
  );
  assert.deepEqual(fleetOf(keys), [KEY, 'pk-second']);
  assert.ok(subject.kind === 'target' && subject.access.keys.key === KEY);
  assert.deepEqual(
    inputs.fleetPlans?.map(({ plan }) => plan),
    ['free', 'pro'],
  );
});

const free = limitsOf(loadPlans(), 'free');

describe('the options of a capacity run', () => {
  test('are read with their units', () => {
    const options = { rate: '1.5', duration: '5m', ramp: '30s', creates: '12.5', arrivals: 'even' } as const;
    assert.deepEqual(readCapacity(options, free, 3), {
      ...{ perSecond: 1.5, seconds: 300, rampSeconds: 30, createShare: 0.125, arrivals: 'even' },
    });
  });

  test('have defaults within every limit', () => {
    const { perSecond, seconds } = readCapacity({}, free, 2);
    assert.deepEqual([perSecond.toFixed(2), seconds], ['1.80', 120]);
  });

  test('the number of keys in the sentence is enough', () => {
    for (const options of [{ rate: '10' }, { rate: '3', arrivals: 'poisson' }] as const) {
      let needed = 0;
      assert.throws(
        () => readCapacity(options, free, 2),
        (error: Error) => {
          needed = Number(/use (\d+) keys/.exec(error.message)?.[1]);
          return true;
        },
      );
      assert.equal(readCapacity(options, free, needed).perSecond, Number(options.rate));
    }
  });
});

/** The settings of `smoke` against the bundled server, with windows of a few milliseconds. */
async function settingsOf(repetitions: number) {
  const settings = await settleLoad('smoke', { plan: 'free', repeat: repetitions }, {});
  const inputs = { ...settings.inputs, limits: { ...settings.inputs.limits, minuteSeconds: 0.01 } };
  return { ...settings, inputs, folder: 'set' };
}

/** Runs of which these finish. */
async function repeatedRuns(
  finished: readonly boolean[],
  signal = new AbortController().signal,
  judge: () => void = () => undefined,
) {
  const lines: string[] = [];
  const print = (...texts: readonly string[]): void => void lines.push(...texts);
  const folders: string[] = [];
  let settled = 0;
  const settings = await settingsOf(finished.length);
  const runs = repeated(settings, { print, signal, settle: () => (settled += 1) }, async (own) => {
    folders.push(`${own.folder}${own.isLast ? ' (last)' : ''}`);
    const how = finished[own.number - 1] === true ? 'finished' : 'stopped';
    return { ended: { how } } as unknown as RecordedLoad;
  });
  const made = await (async () => {
    for await (const _ of runs) judge();
  })().catch((error: unknown) => error);
  return { made, folders, settled, text: lines.join('\n') };
}

describe('a repeated profile', () => {
  test('has a folder for each run', async () => {
    const { folders, settled, text } = await repeatedRuns([true, true, true]);
    assert.deepEqual([settled, folders], [1, ['set/run-1', 'set/run-2', 'set/run-3 (last)']]);
    assert.match(text, /Run 2 of 3/);
  });

  test('that runs once has the folder of the command', async () => {
    assert.deepEqual((await repeatedRuns([true])).folders, ['set (last)']);
  });

  test('ends with a run that stopped early', async () => {
    const { folders, settled, text } = await repeatedRuns([true, false, true]);
    assert.deepEqual([folders.length, settled], [2, 1]);
    assert.match(text, /Run 2 stopped early, so the 1 others do not start/);
  });

  test('is settled where a run has no verdict, so that no further one starts', async () => {
    const { folders, settled } = await repeatedRuns([true, true], undefined, () => {
      throw new UserError('The load run failed: the samples are not complete.');
    });
    assert.deepEqual([folders.length, settled], [1, 1]);
  });

  test('is settled and interrupted between two runs', async () => {
    const { made, folders, settled } = await repeatedRuns([true, true], AbortSignal.abort());
    assert.ok(made instanceof InterruptedError);
    assert.deepEqual([folders.length, settled], [1, 1]);
  });

  test('against a second target takes turns, and the first of each pair changes', async () => {
    const settings = await settingsFor('smoke', { repeat: 2, target, against: 'http://127.0.0.1:2/v1' });
    assert.deepEqual(
      repetitionsOf('out', settings).map(({ set, folder, isLast }) => [set, folder, isLast]),
      [
        [0, 'out/target/run-1', false],
        [1, 'out/against/run-1', false],
        [1, 'out/against/run-2', false],
        [0, 'out/target/run-2', true],
      ],
    );
    assert.equal(settings.against?.targets, 2);
  });

  test('states the total of all runs, the rests included', async () => {
    const settings = await settingsOf(6);
    const { runs, requests, creations, seconds } = totalOf(settings.preview, 6, settings.inputs.limits);
    assert.deepEqual([runs, requests, creations], [6, 60, 30]);
    assert.ok(Math.abs(seconds.expected - (6 * settings.preview.seconds.expected + 5 * 0.021)) < 1e-6);
  });
});
