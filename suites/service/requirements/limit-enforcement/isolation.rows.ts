import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import {
  each,
  fail,
  inconclusive,
  notTested,
  pass,
  rowsOf,
} from '../../../../evaluation/testing/suites/edits.ts';
import { controlled } from '../../../../evaluation/testing/suites/uses.ts';
import { CONTROL_ROUNDS } from '../../probes/other-callers.ts';

const otherCaller = edit.asked('other-caller');

/** Two control rounds of one count for both callers. */
const oneCount = () => controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 48 }).lines();

/** What speaks for and against callers that are counted apart (LIMIT-7). */
export const isolationRows: readonly VerdictRow[] = rowsOf('LIMIT-7', {
  'the other caller is answered': pass(edit.unchanged),
  ...each(
    [
      ['one count for both callers', 57, 48, fail],
      ['one count for both callers, of which one request less is accepted, and then one more', 56, 49, fail],
      ['one bucket for both callers, into which a request flows back', 57, 49, fail],
      ['a count that holds two less than the limit in the first round', 55, 47, inconclusive],
      ['a count that holds two less than the limit', 55, 46, inconclusive],
      ['a count that holds two more than the limit', 59, 50, inconclusive],
    ],
    ([what, one, two, is]) => [
      `a 429 to the other caller each time: ${what}`,
      is(controlled({ before: 3, allowed: one }, { before: 12, allowed: two })),
    ],
  ),
  'one count for both callers, but the other caller got a 429 before the key was used': inconclusive(
    edit.at(
      edit.first(edit.asked('other-caller-again', CONTROL_ROUNDS[0].otherCallerFirst)),
      edit.status(429),
    )(oneCount()),
  ),
  'one count for both callers, but the other caller got no 429 at first': inconclusive(
    edit.at(otherCaller, edit.status(500))(oneCount()),
  ),
  'one count for both callers, and one response of the key under test that was lost': inconclusive(
    edit.at(
      edit.first(({ probe, caller }) => probe === 'other-caller-again' && caller === 'key'),
      edit.silent('timeout'),
    )(oneCount()),
  ),
  'the other caller is answered in the first control round': pass(
    controlled({ before: 3, allowed: 60, last: { status: 200 } }),
  ),
  'the other caller gets no answer in the second control round': inconclusive(
    controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 48, last: { noResponse: 'timeout' } }),
  ),
  'no second key': notTested(
    edit.all(
      edit.run((run) => ({ ...run, inputs: { ...run.inputs, otherKey: false } })),
      edit.without(otherCaller),
    ),
  ),
});
