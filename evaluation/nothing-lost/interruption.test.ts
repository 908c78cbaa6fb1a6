import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { REPORTS } from '../../reports/run-folder.ts';
import { probes } from '../../suites/service/probes/index.ts';
import { recovery } from '../../suites/service/probes/recovery.ts';
import { planRun } from '../../suites/service/run/plan.ts';
import { numbersTo, sampleOf } from '../../tools/sample.ts';
import { runInputs } from '../simulation/virtual-run.ts';
import type { RunningCommand } from '../testing/cli/command.ts';
import { start } from '../testing/cli/command.ts';
import { seeded } from '../testing/suites/limiters.ts';
import { assertConformsOrBusy } from '../testing/tools/busy-machine.ts';
import { assertNothingLost, describeAccident, judgeUndamaged, prepareRun } from './accidents.ts';

// Ctrl-C in the phases of a run: by default in a few of the probes, with PROVE_PHASES=1 in all of them.

const planned = planRun(probes, runInputs({})).probes.map(({ probe }) => probe.id);

const interruptedProbes = process.env['PROVE_PHASES'] === '1' ? planned : ['first-batch', 'exhaust-quota'];

async function started(
  t: TestContext,
): Promise<{ readonly running: RunningCommand; readonly folder: string }> {
  const { cwd, args, env } = await prepareRun(t, 2);
  return { running: start(t, args, { cwd, env }), folder: join(cwd, 'run') };
}

const lastOf = (folder: string) => {
  const lines = readFileSync(join(folder, 'journal.ndjson'), 'utf8').trim().split('\n');
  return JSON.parse(lines.at(-1) ?? '');
};

/** An interrupted run says that it cannot be continued and what to do; its journal ends with `interrupted`. */
async function assertInterrupted(running: RunningCommand, folder: string): Promise<void> {
  const { code, err } = await running.ended();
  assert.equal(code, 130, err);
  assert.match(
    err,
    /\npetstore-conformance: Interrupted: a run cannot be resumed\. Start a new one after a window of the limit has passed \(2 s\), or judge what was recorded with: npx --offline petstore-conformance judge run\/journal\.ndjson\n$/,
  );
  assertNothingLost(join(folder, 'journal.ndjson'), err);
  assert.equal(lastOf(folder).how, 'interrupted');
  assert.deepEqual(readdirSync(folder), ['journal.ndjson']);
}

/** After the recovery a run sends few requests to a conforming target, so it may end before the signal arrives; then it is complete. */
async function assertInterruptedOrFinished(running: RunningCommand, folder: string): Promise<void> {
  const { code, err } = await running.ended();
  const journal = join(folder, 'journal.ndjson');
  assert.ok(code === 130 || code === 0, err);
  assertNothingLost(journal, err);
  if (lastOf(folder).how === 'finished') assert.equal(judgeUndamaged(journal).record.outcome, 'conforms');
  else assert.deepEqual([code, lastOf(folder).how], [130, 'interrupted']);
}

const afterRecovery = new Set(planned.slice(planned.indexOf(recovery.id) + 1));

/** Waits until the condition holds or the command ends; checks every millisecond. */
async function until(condition: () => boolean, running: RunningCommand): Promise<void> {
  while (!condition() && running.child.exitCode === null) await delay(1);
}

describeAccident('interrupted', () => {
  test('while it prints its plan', async (t) => {
    const { running, folder } = await started(t);
    await running.until('Target');
    running.child.kill('SIGINT');
    const { code, err } = await running.ended();
    assert.equal(code, 130, err);
    assertNothingLost(join(folder, 'journal.ndjson'), err);
  });

  for (const phase of [...interruptedProbes, 'waits']) {
    test(`in ${phase}`, async (t) => {
      const { running, folder } = await started(t);
      // The plan speaks of waits, too; behind a middle dot it is a line of the progress.
      await running.until(phase === 'waits' ? '· waits ' : `${phase}: `);
      running.child.kill('SIGINT');
      const assertEnd = afterRecovery.has(phase) ? assertInterruptedOrFinished : assertInterrupted;
      await assertEnd(running, folder);
    });
  }
});

describeAccident('interrupted late', () => {
  const late: Readonly<Record<string, (folder: string) => boolean>> = {
    'while it judges': (folder) => {
      const path = join(folder, 'journal.ndjson');
      return existsSync(path) && readFileSync(path, 'utf8').includes('"kind":"end"');
    },
    'while it writes its reports': (folder) =>
      existsSync(folder) && readdirSync(folder).some((name) => name !== 'journal.ndjson'),
  };
  for (const [phase, reached] of Object.entries(late)) {
    test(`${phase}: the run is over, so the verdict is finished`, async (t) => {
      const { running, folder } = await started(t);
      await until(() => reached(folder), running);
      running.child.kill('SIGINT');
      const ended = await running.ended();
      assertConformsOrBusy(ended);
      judgeUndamaged(join(folder, 'journal.ndjson'));
      assert.deepEqual(readdirSync(folder).sort(), [...REPORTS, 'journal.ndjson'].sort());
      const { outcome } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
      assert.equal(outcome, ended.code === 0 ? 'conforms' : 'incomplete');
    });
  }
});

// kill -9 at random moments: everything that the progress output showed is in the journal, complete and judgeable.
// PROVE_KILLS is the number of kills (by default 10), PROVE_SEED seeds the moments.

const KILLS = Number(process.env['PROVE_KILLS'] ?? 10);
const SEED = Number(process.env['PROVE_SEED'] ?? 1);

/** Longer than a run with a window of a second takes on an idle machine, in milliseconds from the first output. */
const LATEST_MS = 3500;

describeAccident('kill', () => {
  const random = seeded(SEED);
  const kills = numbersTo(KILLS).map((n) => [n, Math.round(random() * LATEST_MS)] as const);
  for (const [n, ms] of sampleOf(kills)) {
    test(`kill ${n} of ${KILLS} (seed ${SEED}), after ${ms} ms`, async (t) => {
      const { cwd, args, env } = await prepareRun(t, 1);
      const running = start(t, args, { cwd, env });
      await running.until('Folder');
      await Promise.race([delay(ms), running.ended()]);
      running.child.kill('SIGKILL');
      const { code, err } = await running.ended();
      assert.ok(code === null || code === 0, `exit ${code}: ${err}`);
      assertNothingLost(join(cwd, 'run', 'journal.ndjson'), err);
    });
  }
});
