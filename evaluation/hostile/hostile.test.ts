import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { REPORTS } from '../../reports/run-folder.ts';
import { sampleName, sampleOf } from '../../tools/sample.ts';
import { costBoundsOf } from './attack.ts';
import { attacks } from './attacks/index.ts';
import type { MeasuredRun } from './certify.ts';
import { ATTACKED_KEY, certifyAttacker } from './certify.ts';

// Runs the real command as a separate process against the attacks of the day (npm run evaluate -- hostile: against all).

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** The forms of the key that must not occur anywhere. */
const KEY_FORMS = [
  ATTACKED_KEY,
  ATTACKED_KEY.slice(0, -1),
  encodeURIComponent(ATTACKED_KEY),
  percent(ATTACKED_KEY),
  Buffer.from(ATTACKED_KEY).toString('base64'),
];

/** What holds after every attack: the cost is bounded, there is no stack trace, and the key is nowhere. */
function assertBounded(run: MeasuredRun, bounds: ReturnType<typeof costBoundsOf>): void {
  const { out, err, files, cost } = run;
  assert.ok(cost !== undefined, `the command was killed: ${err}`);
  assert.ok(cost.megabytes <= bounds.megabytes, `${cost.megabytes} MB of ${bounds.megabytes}`);
  assert.ok(cost.cpuSeconds <= bounds.cpuSeconds, `${cost.cpuSeconds} s of ${bounds.cpuSeconds}`);
  assert.doesNotMatch(err, /\n {4}at |Unexpected:/, 'no stack trace and no unexpected error');
  const places = [['standard output', out], ['standard error', err], ...files] as const;
  for (const [place, text] of places) {
    for (const form of KEY_FORMS) assert.ok(!text.includes(form), `the key is in ${place}`);
  }
}

/** A slow one may take a minute of computing and two gigabytes. */
const ofDay = sampleName === 'all' ? attacks : sampleOf(attacks.filter(({ slow }) => slow !== true));

describe('a hostile target', { concurrency: 3 }, () => {
  for (const attack of ofDay) {
    test(`${attack.id}: ${attack.description}`, async (t) => {
      const run = await certifyAttacker(t, attack);
      assertBounded(run, costBoundsOf(attack));
      assert.ok(
        attack.exitCodes.some((code) => code === run.code),
        `exit ${run.code}: ${run.err}`,
      );
      const last = run.err.trimEnd().split('\n').at(-1) ?? '';
      if (run.code === 2) assert.match(last, /^petstore-conformance: [A-Z].*\.$/);
      if (attack.lastLine !== undefined) assert.match(last, attack.lastLine);
      if (run.code !== 2) assert.equal(run.files.size, REPORTS.length + 1, [...run.files.keys()].join(', '));
    });
  }
});
