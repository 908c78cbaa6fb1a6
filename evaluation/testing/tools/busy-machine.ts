import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { after } from 'node:test';
import type { EndedCommand } from '../cli/call.ts';

/** For tests of a command that are about no verdict: its target conforms, or the run says that this machine was too slow for it. */
export function assertConformsOrBusy({ code, out, err }: EndedCommand): void {
  // Lines of the console begin with a bar and end where its width does.
  const isBusy = /this machine was too busy\.|The target is slower than its window/.test(
    out.replaceAll(/[\s│]+/g, ' '),
  );
  assert.ok(code === 0 || (code === 3 && isBusy), `exit ${code}: ${err}${out}`);
}

/** Makes an attempt, and a second one with more time where it returns why this machine was too busy. */
type Attempts = (
  t: Pick<TestContext, 'diagnostic'>,
  attempt: (again: boolean) => Promise<string | undefined>,
) => Promise<void>;

/** Of all attempts of a test file, so many may end without a verdict because this machine was too busy. */
const MOST = 0.5;

/**
 * For tests that depend on time: they may do so in one direction alone. An attempt asserts whatever must hold on any
 * machine, so that a wrong verdict fails at once, and returns the reason where an honest product reached none. Reasons
 * are printed and counted for the file that calls this.
 */
export function onBusyMachine(): Attempts {
  const reasons: string[] = [];
  let attempts = 0;
  after(() => {
    assert.ok(
      reasons.length <= MOST * attempts,
      `${reasons.length} of ${attempts} attempts ended without a verdict: ${reasons.join('; ')}`,
    );
  });
  return async (t, attempt) => {
    for (const again of [false, true]) {
      attempts += 1;
      const reason = await attempt(again);
      if (reason === undefined) return;
      reasons.push(reason);
      t.diagnostic(`this machine was too busy: ${reason}`);
    }
  };
}
