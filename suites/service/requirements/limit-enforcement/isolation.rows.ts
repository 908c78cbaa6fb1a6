import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { fail, inconclusive, notTested, pass, rowsOf } from '../../../../evaluation/testing/suites/edits.ts';
import { controlled } from '../../../../evaluation/testing/suites/uses.ts';
import { CONTROL_ROUNDS } from '../../probes/other-callers.ts';

const otherCaller = edit.asked('other-caller');

/** What speaks for and against callers that are counted apart (LIMIT-7). */
export const isolationRows: readonly VerdictRow[] = rowsOf('LIMIT-7', {
  'the other caller is answered': pass(edit.unchanged),
  'one count for both callers': fail(controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 48 })),
  'one count for both callers, of which one request less is accepted, and then one more': fail(
    controlled({ before: 3, allowed: 56 }, { before: 12, allowed: 49 }),
  ),
  'a count for both callers that holds two less than the limit in the first round': inconclusive(
    controlled({ before: 3, allowed: 55 }, { before: 12, allowed: 47 }),
  ),
  'a count for both callers that holds two more than the limit': inconclusive(
    controlled({ before: 3, allowed: 59 }, { before: 12, allowed: 50 }),
  ),
  'one count for both callers, but the other caller got a 429 before the key was used': inconclusive(
    edit.at(
      edit.first(edit.asked('other-caller-again', CONTROL_ROUNDS[0].otherCallerFirst)),
      edit.status(429),
    )(controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 48 }).lines()),
  ),
  'one count for both callers, but the other caller got no 429 at first': inconclusive(
    edit.at(
      otherCaller,
      edit.status(500),
    )(controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 48 }).lines()),
  ),
  'a count for both callers that holds two less than the limit': inconclusive(
    controlled({ before: 3, allowed: 55 }, { before: 12, allowed: 46 }),
  ),
  'one count for both callers, and one response of the key under test that was lost': inconclusive(
    edit.at(
      edit.first(({ probe, caller }) => probe === 'other-caller-again' && caller === 'key'),
      edit.silent('timeout'),
    )(controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 48 }).lines()),
  ),
  'one bucket for both callers, into which a request flows back': fail(
    controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 49 }),
  ),
  'another client takes as much of the quota of the key under test in addition, both times': inconclusive(
    controlled({ before: 3, allowed: 50 }, { before: 12, allowed: 41 }),
  ),
  'a 429 to the other caller each time, but the key under test has its own quota': inconclusive(
    controlled({ before: 3, allowed: 60 }, { before: 12, allowed: 60 }),
  ),
  'another client of the key under test takes as much of it both times': inconclusive(
    controlled({ before: 3, allowed: 55 }, { before: 12, allowed: 55 }),
  ),
  'the other caller is answered in the first control round': pass(
    controlled({ before: 3, allowed: 60, last: { status: 200 } }),
  ),
  'the other caller is answered in the second control round': pass(
    controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 60, last: { status: 200 } }),
  ),
  'one control round alone': inconclusive(controlled({ before: 3, allowed: 57 })),
  'the other caller got a 429, and nothing was asked after it': inconclusive(controlled()),
  'the other caller gets no answer in the second control round': inconclusive(
    controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 48, last: { noResponse: 'timeout' } }),
  ),
  'no second key': notTested(
    edit.all(
      edit.run((run) => ({ ...run, inputs: { ...run.inputs, otherKey: false } })),
      edit.without(otherCaller),
    ),
  ),
  'no-response': inconclusive(edit.at(otherCaller, edit.silent('timeout'))),
});
