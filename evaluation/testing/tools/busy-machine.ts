import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { after } from 'node:test';
import fc from 'fast-check';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { sampleOf } from '../../../tools/sample.ts';
import type { EndedCommand } from '../cli/command.ts';

/** What a run prints that this machine kept from a verdict. */
const TOO_BUSY = /this machine was too busy\.|The responses came too slowly to show the limit/;

/** The sentence of an output that says so. Lines of the console begin with a bar and end where its width does. */
export const tooBusyIn = (output: string): string | undefined =>
  TOO_BUSY.exec(output.replaceAll(/[\s│]+/g, ' '))?.[0];

/** Why a command ended without a verdict; undefined where it has one, or has none for another reason. */
export const whyTooBusy = ({ code, out }: EndedCommand): string | undefined =>
  code === 3 ? tooBusyIn(out) : undefined;

/** For tests of a command that are about no verdict: its target conforms, or the run says that this machine was too slow for it. */
export function assertConformsOrBusy(ended: EndedCommand): void {
  const { code, out, err } = ended;
  assert.ok(code === 0 || whyTooBusy(ended) !== undefined, `exit ${code}: ${err}${out}`);
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

/** What a certification run says that sent less in a window than the limit. */
const TOO_SLOW =
  /The responses came too slowly to show the limit: \d+ requests took \d+ s, and none got 429\.$/;

/** Why a certification run did not reach the limit, so that what needs a 429 is open; undefined where it did. */
export function whyTooSlow({ requirements }: Pick<RunRecord, 'requirements'>): string | undefined {
  const slow = requirements.find(({ because }) => TOO_SLOW.test(because));
  return slow && `${slow.id}: ${slow.because}`;
}

/**
 * The same for a target that conforms: this machine, and nothing else, kept the run from the limit.
 * @throws {AssertionError} where anything fails.
 */
export function whyTooSlowOnly({ requirements }: Pick<RunRecord, 'requirements'>): string | undefined {
  const reason = whyTooSlow({ requirements });
  if (reason === undefined) return undefined;
  for (const { id, verdict, because } of requirements) assert.notEqual(verdict, 'fail', `${id}: ${because}`);
  return reason;
}

/** Does synchronous work and measures how long it computes, in milliseconds: unlike the time that passes, that does not grow while other programs use the cores. */
export function computed<T>(work: () => T) {
  const before = process.cpuUsage();
  const value = work();
  return { value, computedMs: process.cpuUsage(before).user / 1000 };
}

/**
 * Checks what must hold of random examples, of which each day has its share: a week has the number that is given. An
 * error names its example, which is not made smaller: where each takes a tenth of a second, that would take minutes.
 */
export async function holdsOf<T>(
  examples: fc.Arbitrary<T>,
  number: number,
  check: (example: T) => void | Promise<void>,
): Promise<void> {
  for (const example of sampleOf(fc.sample(examples, number))) {
    try {
      await check(example);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${fc.stringify(example)}: ${why}`, { cause });
    }
  }
}
