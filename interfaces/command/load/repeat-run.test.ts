import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InterruptedError, UserError } from '../../../kernel/basics/errors.ts';
import { totalOf } from '../../../load/preview.ts';
import type { RecordedLoad } from '../../../load/run/record-load.ts';
import { repeated, repetitionsOf } from './repeat-run.ts';
import { settleLoad } from './settings.ts';

const plans = { plan: 'free', minutes: undefined };

/** The settings of `smoke` against the bundled server, with windows of a few milliseconds. */
async function settingsOf(repetitions: number) {
  const settings = await settleLoad('smoke', { plan: plans.plan, repeat: repetitions }, {});
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
    const options = {
      plan: 'free',
      repeat: 2,
      target: 'http://127.0.0.1:1/v1',
      against: 'http://127.0.0.1:2/v1',
    };
    const settings = await settleLoad('smoke', options, { PETSTORE_API_KEY: 'pk-1234567890' });
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
