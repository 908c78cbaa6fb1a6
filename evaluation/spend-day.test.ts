import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunRecord } from '../kernel/findings/record.ts';
import { findVariant, variants } from '../reference-server/catalogue/variants/index.ts';
import { algorithms, DEFAULT_ALGORITHM } from '../reference-server/limiters/index.ts';
import { sampleOf } from '../tools/sample.ts';
import type { VirtualRun } from './simulation/virtual-run.ts';
import { runWith, virtualRun } from './simulation/virtual-run.ts';
import type { NetworkConditions } from './statistics/circumstances.ts';
import { drawCircumstances } from './statistics/circumstances.ts';
import { seeded } from './testing/suites/limiters.ts';

/** How often each conforming day is used under each network conditions; more in a long proof. */
const DRAWS = Number(process.env['SPEND_DAY_DRAWS'] ?? 2);

const SPENT_DAY = runWith(['used day']);

const failed = ({ requirements }: RunRecord): readonly string[] =>
  requirements.filter(({ verdict }) => verdict === 'fail').map(({ id, because }) => `${id}: ${because}`);

const dayOf = ({ requirements }: RunRecord) => requirements.find(({ id }) => id === 'LIMIT-9');

const days = ['', ...variants.filter(({ testedWith }) => testedWith === 'a used day').map(({ id }) => id)];

describe('a conforming day never fails', () => {
  for (const id of sampleOf(days)) {
    for (const where of ['calm', 'lossy', 'shared'] satisfies readonly NetworkConditions[]) {
      test(`${id || 'the day of the reference server'}, ${where}`, async () => {
        const random = seeded(20261123 + days.indexOf(id));
        for (let draw = 0; draw < DRAWS; draw += 1) {
          const algorithm = algorithms[draw % algorithms.length] ?? DEFAULT_ALGORITHM;
          const plans = SPENT_DAY.plans;
          assert.ok(plans !== undefined);
          const { description, ...circumstances } = drawCircumstances(where, draw, plans, random);
          const run: VirtualRun = {
            ...SPENT_DAY,
            ...circumstances,
            algorithm,
            exclusiveKey: where !== 'shared' && random() < 0.5,
            ...(id === '' ? {} : { fault: findVariant(id) }),
          };
          const { record } = await virtualRun(run);
          assert.deepEqual(failed(record), [], `${algorithm}, ${description}`);
        }
      });
    }
  }
});

test('with the plan Free a run sends the 1,000 requests of a day and one more, in about 18 minutes', async () => {
  const { record, plan, lines } = await virtualRun({ spendDay: true, withoutExhaustedKey: true });
  assert.equal(plan.total.withKey, 1001);
  assert.equal(dayOf(record)?.verdict, 'pass', dayOf(record)?.because);
  const seconds = (Date.parse(record.finishedAt) - Date.parse(record.startedAt)) / 1000;
  assert.ok(seconds < 1.02 * plan.seconds && seconds > 0.95 * plan.seconds, `${seconds} s`);
  const keyed = lines.flatMap((line) => (line.kind === 'exchange' && line.caller === 'key' ? [line] : []));
  const limited = keyed.filter(({ outcome }) => outcome.kind === 'answer' && outcome.status === 429);
  assert.equal(limited.length, 2, 'one of the minute and one of the day');
  assert.equal(limited.at(-1), keyed.at(-1), 'the key sends nothing more');
});
