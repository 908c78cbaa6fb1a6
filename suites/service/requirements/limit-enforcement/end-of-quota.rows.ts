import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf } from '../../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange, Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import { isRateLimited, used, withOneReset } from '../../../../evaluation/testing/suites/uses.ts';
import { ban } from '../../probes/ban.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';

/** A creation at the end of the quota. */
const endingCreation = { method: 'POST', step: exhaustQuota.steps.creation, status: 201 } as const;

/** How the disposable key's quota was used before, and what its 429 responses announce; times in seconds. */
interface Beyond {
  /** Remaining of its first response. */
  readonly firstLeft?: number;
  /** The status of its creation within the limit. */
  readonly within?: number;
  /** How many requests it sends beyond the limit. */
  readonly times?: number;
  /** Between two of them. */
  readonly seconds?: number;
  /** The Retry-After of every 429 but the first. */
  readonly wait?: number;
}

/** A disposable key that exceeds its limit: creations, or other requests, each followed by a list that gets 429. */
function beyond(request: StagedExchange, more: Beyond = {}): Synthesis {
  const { firstLeft = 59, within = 201, times = 5, seconds = 0, wait = 60 } = more;
  const run = used(60).add(isRateLimited(60));
  const sent = { probe: ban.id, caller: 'disposable' } as const;
  run.add({ ...sent, step: ban.steps.exhaustQuota, left: firstLeft });
  run.add({ ...sent, method: 'POST', step: ban.steps.creation, status: within, left: firstLeft - 1 });
  for (let left = firstLeft - 2; left >= 0; left -= 1)
    run.add({ ...sent, step: ban.steps.exhaustQuota, left });
  run.add({ ...sent, step: ban.steps.exhaustQuota, ...isRateLimited(60) });
  run.add({ ...sent, step: ban.steps.persist, ...isRateLimited(wait) });
  for (let i = 0; i < times; i += 1) {
    run.wait(seconds).add({ ...sent, method: 'POST', step: ban.steps.persist, ...request });
    run.add({ ...sent, step: ban.steps.persist, ...isRateLimited(wait) });
  }
  return run;
}

/** Rows for LIMIT-1 and LIMIT-3: what a creation at the end of the quota and requests beyond it show about the limit. */
export const endOfQuotaRows: readonly VerdictRow[] = [
  ...rowsOf('LIMIT-1', {
    '61 accepted at once, half a minute before Reset': fail(withOneReset(used(61), 30)),
    'a creation accepted beyond the limit of an exact count': fail(
      withOneReset(
        used(59)
          .wait(3)
          .add({ left: 0 })
          .add({ ...endingCreation, left: 0 }),
        60,
      ),
    ),
    'the same under a Reset that may follow the clock': inconclusive(
      used(59)
        .wait(3)
        .add({ left: 0 })
        .add({ ...endingCreation, left: 0 }),
    ),
    'a creation accepted at Remaining 0 after two seconds in which a bucket gives back': inconclusive(
      used(58)
        .wait(2)
        .add({ left: 2 })
        .add({ left: 1 })
        .add({ left: 0 })
        .add({ ...endingCreation, left: 0 }),
    ),
    'a creation that is not accepted for another reason, and then a 429 to a list': pass(
      used(60)
        .add({ ...endingCreation, status: 409, left: 0 })
        .add(isRateLimited(60)),
    ),
    'every creation of the disposable key accepted, as slowly as a bucket gives back': pass(
      beyond({ status: 201, left: 0 }, { seconds: 1.5 }),
    ),
    'every creation of the disposable key accepted, but its quota was used before': pass(
      beyond({ status: 201, left: 0 }, { firstLeft: 40 }),
    ),
    'every creation of the disposable key accepted after a sign of a ban': pass(
      beyond({ status: 201, left: 0 }, { wait: 600 }),
    ),
    ...each(
      [
        ['403', edit.status(403)],
        ['no response', edit.silent('timeout')],
      ],
      ([sign, change]) => [
        `every creation of the disposable key accepted after ${sign}, as where it is banned`,
        pass(
          edit.at(
            edit.first(edit.asked(ban.id, ban.steps.persist)),
            change,
          )(beyond({ status: 201, left: 0 }).lines()),
        ),
      ],
    ),
    '62 requests of the disposable key accepted at once': fail(() => {
      const run = used(60).add(isRateLimited(60));
      for (let i = 0; i < 62; i += 1)
        run.add({ probe: ban.id, caller: 'disposable', left: Math.max(0, 59 - i) });
      return run;
    }),
    'a router that answers beyond the limit for a path that does not exist': pass(
      beyond({ method: 'GET', path: '/pets/1', left: null }),
    ),
    'an operation that is only named and shows the limit, accepted beyond it': fail(
      beyond({ method: 'GET', path: '/store/orders', left: 0 }),
    ),
  }),
  ...rowsOf('LIMIT-3', {
    ...each([400, 403, 499], (status) => [
      `only creations that are rejected with ${status} beyond the limit, and no 429`,
      inconclusive(used(60).add({ ...endingCreation, step: exhaustQuota.steps.parallel, status, left: 0 })),
    ]),
    'a creation among parallel requests that is answered 500 beyond the limit': fail(
      used(60).add({ ...endingCreation, step: exhaustQuota.steps.parallel, status: 500, left: 0 }),
    ),
    'three creations of the disposable key answered 500 between lists that got 429': fail(
      beyond({ status: 500, left: 0 }, { times: 3 }),
    ),
    'every creation of the disposable key answered 503, between a list that got 429 and one that was accepted':
      pass(
        edit.at(
          edit.both(edit.asked(ban.id, ban.steps.persist), ({ n }) => n % 4 === 1),
          edit.status(200),
        )(beyond({ status: 503, left: 0 }, { times: 6 }).lines()),
      ),
    'every creation of the disposable key answered 503 after several lists that got 429': fail(
      edit.repeatedly(
        edit.both(edit.asked(ban.id, ban.steps.persist), edit.answered(429)),
        3,
      )(beyond({ status: 503, left: 0 }).lines()),
    ),
    'two creations of the disposable key answered 503 between lists that got 429': pass(
      beyond({ status: 503, left: 0 }, { times: 2 }),
    ),
    'every creation of the disposable key answered 503 but the first, which was answered 500': pass(
      edit.at(edit.first(edit.answered(503)), edit.status(500))(beyond({ status: 503, left: 0 }).lines()),
    ),
    'every creation of the disposable key answered 409 beyond the limit': pass(
      beyond({ status: 409, left: 0 }),
    ),
    'no creation of the disposable key accepted within its limit either': pass(
      beyond({ status: 503, left: 0 }, { within: 503 }),
    ),
  }),
];
