import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import { fail, inconclusive, pass, rowsOf } from '../../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import { exclusively, isRateLimited } from '../../../../evaluation/testing/suites/uses.ts';
import { fullBurst } from '../../probes/paced-window.ts';
import { preflight } from '../../probes/preflight.ts';

const { together, apart, togetherAgain } = fullBurst.steps;
const probe = fullBurst.id;

/** A bucket of three that was exhausted one by one, with a 429 that asks for a second. */
const exhaustedBucket = (): Synthesis =>
  new Synthesis()
    .wait(122)
    .add({ probe: preflight.id, step: preflight.steps.baselineAfterIdle, left: 2 })
    .add({ left: 1 })
    .add({ left: 0 })
    .add(isRateLimited(1));

/** Adds this many requests at the same time from a full bucket, of which the first ones are accepted. */
const batch = (run: Synthesis, step: StagedExchange['step'], sent: number, taken: number): Synthesis =>
  run.wait(62).together(sent, (i) => ({
    probe,
    step: step ?? together,
    ...(i < taken ? { left: 0 } : isRateLimited(1)),
  }));

/** Adds requests one after another from a full bucket, up to a 429, with this pause before the second, in seconds. */
function oneByOne(run: Synthesis, taken: number, pause: number): Synthesis {
  run.wait(62).add({ probe, step: apart, left: 2 }).wait(pause);
  for (let n = 1; n < taken; n += 1) run.add({ probe, step: apart, left: Math.max(0, 2 - n) });
  return run.add({ probe, step: apart, ...isRateLimited(1) });
}

const allTaken = (): Synthesis => batch(exhaustedBucket(), together, 4, 4);

/** What speaks for and against a small bucket under requests at the same time (LIMIT-6). */
export const smallBucketRows: readonly VerdictRow[] = rowsOf('LIMIT-6', {
  'a full bucket of three accepts three of four at the same time': pass(
    batch(exhaustedBucket(), together, 4, 3),
  ),
  'a full bucket of three accepts two of four at the same time: another limit came first': inconclusive(
    batch(exhaustedBucket(), together, 4, 2),
  ),
  'a full bucket of three accepts four at the same time, twice, and three one after another': fail(
    batch(oneByOne(allTaken(), 3, 0.1), togetherAgain, 4, 4),
  ),
  'the same with a key of no other client, and one response states that more is left: a busy service may send 429 at random':
    inconclusive(
      exclusively(
        batch(oneByOne(allTaken(), 3, 0.1), togetherAgain, 4, 4)
          .wait(62)
          .add({ left: 7 }),
      ),
    ),
  'a full bucket accepts four at the same time, twice, and two one after another, where it had accepted three':
    inconclusive(batch(oneByOne(allTaken(), 2, 0.1), togetherAgain, 3, 3)),
  'three one after another took less time than four at the same time': inconclusive(
    oneByOne(allTaken(), 3, 0.1)
      .wait(62)
      .together(4, () => ({ probe, step: togetherAgain, left: 0, received: 400_000 })),
  ),
});
