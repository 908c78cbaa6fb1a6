import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { fail, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import type { StepName } from '../../probes/index.ts';
import { otherSpellings } from '../../probes/other-spellings.ts';

const spelled = (step: StepName) => edit.asked(otherSpellings.id, step);
const OURS = '[{"id":1,"name":"pc-virtual1-full-1"}]';

/** Requests that the specification does not show: only what they serve counts. */
const judgedByWhatIsServed: readonly VerdictRow[] = (
  [
    ['AUTH-1', 'two slashes before the path'],
    ['AUTH-1', 'a path parameter'],
    ['AUTH-1', 'OPTIONS with the method overridden by GET'],
    ['AUTH-1', 'an address of a private network claimed, without a key'],
    ['AUTH-1', 'an authenticated user claimed, without a key'],
    ['AUTH-2', 'Bearer *'],
    ['AUTH-3', 'key with other characters in its middle'],
    ['AUTH-3', 'key with a character before it'],
    ['AUTH-3', 'percent-encoded key'],
    ['AUTH-3', 'key without its beginning'],
    ['AUTH-4', 'bearer in another header'],
    ['AUTH-4', 'a scheme as long as Bearer'],
    ['AUTH-4', 'a scheme that ends in Bearer'],
    ['AUTH-4', 'no space after Bearer'],
    ['AUTH-4', 'creation: key in the body'],
  ] as const
).flatMap(([id, step]): readonly VerdictRow[] => {
  const row = (
    description: string,
    verdict: VerdictRow['verdict'],
    ...edits: readonly edit.Edit[]
  ): VerdictRow => ({
    id,
    description: `${step}: ${description}`,
    journal: edit.at(spelled(step), ...edits),
    verdict,
  });
  return [
    row('served', 'fail', edit.status(200), edit.responseBody(OURS)),
    row('created', 'fail', edit.status(201), edit.responseBody('{"id":1,"name":"x"}')),
    ...[301, 400, 403, 404, 405, 500].map((status) => row(`${status}`, 'pass', edit.status(status))),
    row('429', 'pass', edit.limited),
    row('no response', 'pass', edit.silent('timeout')),
  ];
});

/** Requests without a valid key in other spellings of the path, by other methods and with odd tokens: AUTH-1 to AUTH-4. */
export const otherSpellingRows: readonly VerdictRow[] = [
  ...judgedByWhatIsServed,
  ...rowsOf('AUTH-1', {
    'a page at another path': pass(
      edit.at(
        spelled('a file extension'),
        edit.status(200),
        edit.header('Content-Type', 'text/html'),
        edit.responseBody('<!doctype html>'),
      ),
    ),
    'another list at another path': pass(
      edit.at(spelled('a file extension'), edit.status(200), edit.responseBody('[{"id":1,"name":"x"}]')),
    ),
    'our category in an object at another path': fail(
      edit.at(spelled('a file extension'), edit.status(200), edit.responseBody(`{"items":${OURS},"page":1}`)),
    ),
    'a query: an empty list at the path of the operation': fail(
      edit.at(spelled('a query'), edit.status(200), edit.responseBody('[]')),
    ),
    'a preflight': pass(edit.at(spelled('OPTIONS without a key'), edit.status(204), edit.responseBody(''))),
    HEAD: warn(edit.at(spelled('HEAD without a key'), edit.status(200), edit.responseBody(''))),
    'a journal of an older suite, without other spellings': pass(edit.without(edit.asked(otherSpellings.id))),
  }),
  ...(
    [
      ['AUTH-3', 'creation: key with one character more'],
      ['AUTH-4', 'creation: cookie'],
    ] as const
  ).flatMap(([id, step]): readonly VerdictRow[] =>
    rowsOf(id, {
      [`${step}: 201`]: fail(edit.at(spelled(step), edit.status(201))),
      [`${step}: 403`]: fail(edit.at(spelled(step), edit.status(403))),
      [`${step}: 429`]: pass(edit.at(spelled(step), edit.limited)),
    }),
  ),
];
