import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InterruptedError } from '../../../kernel/basics/errors.ts';
import { totalOf } from '../../../load/preview/preview.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { repeatRun, repetitionsOf } from './repeat-run.ts';
import { readLoadSettings } from './settings.ts';

const plans = { plan: 'free', minutes: undefined };

/** The settings of `smoke` against the bundled server, with windows of a few milliseconds. */
async function settingsOf(repetitions: number) {
  const settings = await readLoadSettings('smoke', { plan: plans.plan, repeat: repetitions }, {});
  const inputs = { ...settings.inputs, limits: { ...settings.inputs.limits, minuteSeconds: 0.01 } };
  return { ...settings, inputs, folder: 'set' };
}

/** Runs that end with these codes; an undefined one stops early. */
async function repeated(codes: readonly (ExitCode | undefined)[], signal = new AbortController().signal) {
  const lines: string[] = [];
  const write = (text: string): boolean => lines.push(text) > 0;
  const terminal = { out: { write }, err: { write }, columns: 80, colors: false } as unknown as Terminal;
  const folders: string[] = [];
  let settled = 0;
  const settings = await settingsOf(codes.length);
  const code = await repeatRun(settings, { terminal, signal, settle: () => (settled += 1) }, (own) => {
    folders.push(`${own.folder}${own.isLast ? ' (last)' : ''}`);
    const found = codes[own.number - 1];
    return Promise.resolve({ code: found ?? EXIT.incomplete, isFinished: found !== undefined });
  }).catch((error: unknown) => error);
  return { code, folders, settled, text: lines.join('') };
}

describe('a repeated profile', () => {
  test('has a folder for each run, and the exit code of the worst', async () => {
    const { code, folders, text } = await repeated([EXIT.conforms, EXIT.violates, EXIT.incomplete]);
    assert.deepEqual([code, folders], [EXIT.violates, ['set/run-1', 'set/run-2', 'set/run-3 (last)']]);
    assert.match(text, /Run 2 of 3/);
  });

  test('that runs once has the folder of the command', async () => {
    assert.deepEqual((await repeated([EXIT.incomplete])).folders, ['set (last)']);
  });

  test('ends with a run that stopped early', async () => {
    const { code, folders, text } = await repeated([EXIT.conforms, undefined, EXIT.conforms]);
    assert.deepEqual([code, folders.length], [EXIT.incomplete, 2]);
    assert.match(text, /Run 2 stopped early, so the 1 others do not start/);
  });

  test('is settled and interrupted between two runs', async () => {
    const aborted = AbortSignal.abort();
    const { code, folders, settled } = await repeated([EXIT.conforms, EXIT.conforms], aborted);
    assert.ok(code instanceof InterruptedError);
    assert.deepEqual([folders.length, settled], [1, 1]);
  });

  test('against a second target takes turns, and the first of each pair changes', async () => {
    const options = {
      plan: 'free',
      repeat: 2,
      target: 'http://127.0.0.1:1/v1',
      against: 'http://127.0.0.1:2/v1',
    };
    const settings = await readLoadSettings('smoke', options, { PETSTORE_API_KEY: 'pk-1234567890' });
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
