import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { testJudges } from '../../../evaluation/testing/suites/verdict-rows.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { sentCategory } from '../evidence/categories.ts';
import type { JournalLine } from '../model/journal.ts';
import type { StepName } from '../probes/index.ts';
import { otherSpellings } from '../probes/other-spellings.ts';
import { invalidCredentials, lockoutSteps } from '../probes/unauthenticated.ts';

const { lines } = await virtualRun();
const { at, asked, both } = edit;
const { each, fail, inconclusive, notTested, pass, rowsOf, warn } = edit;
const on = (path: string) => (exchange: Exchange) => exchange.request.target.split('?')[0] === path;
const cold = asked('unauthenticated-before-key');
const named = (exchange: Exchange): boolean =>
  exchange.caller === 'unauthenticated' && (on('/v1/store/orders')(exchange) || on('/v1/pets/1')(exchange));

/** These requests are served, with this body. */
const served = (where: edit.Where, body: unknown): edit.Change =>
  at(where, edit.status(200), edit.responseBody(body));

/** Every kind of stranger: turned away, let in, and not answered about it. */
const unauthenticated = (
  [
    ['AUTH-2', 'an unknown key', asked(invalidCredentials.id, invalidCredentials.steps.unknownKey)],
    ['AUTH-1', 'no key', both(cold, on('/v1/categories'))],
    ['AUTH-4', 'Basic', asked('invalid-credentials', 'Basic with the key as user')],
  ] as const
).flatMap(([id, who, where]) =>
  rowsOf(id, {
    [`${who}: 401`]: pass(edit.unchanged),
    [`${who}: let in`]: fail(served(where, [])),
    [`${who}: 403`]: fail(at(where, edit.status(403))),
    [`${who}: a 429 instead`]: inconclusive(at(where, edit.limited)),
    [`${who}: silence`]: inconclusive(at(where, edit.silent('timeout'))),
  }),
);

/** A question of strangers was asked once more when a window had passed, and answered like this. */
const again =
  (step: StepName, ...edits: readonly edit.Edit[]): edit.Change =>
  (all) => {
    const asking = asked('invalid-credentials', step);
    const then = edit.at(asking, ...edits, (exchange) => ({
      ...exchange,
      probe: 'invalid-credentials-again',
    }))(edit.exchangesIn(lines, asking));
    return all.flatMap((line) => (line.kind === 'end' ? [...then, line] : [line]));
  };

const EXTENDED = 'key with one character more';

/** The same, after a 429 while the key was refused, too. */
const askedAgain = (step: StepName, ...edits: readonly edit.Edit[]): edit.Change =>
  edit.all(at(asked('invalid-credentials', step), edit.limited), again(step, ...edits));

/** These requests are answered otherwise, and the run looks for a lockout after them. */
const untried = (where: edit.Where, ...edits: readonly edit.Edit[]): edit.Change =>
  edit.all(
    at(where, ...edits),
    at(asked('invalid-credentials', 'X-API-Key header'), (exchange) => ({
      ...exchange,
      step: lockoutSteps.withoutKey,
    })),
  );
const cookie = asked('invalid-credentials', 'cookie');
const keyed = both(asked('preflight'), edit.answered(200));

/** Of these requests, the first one alone. */
function onlyFirst(where: edit.Where): edit.Change {
  const isFirst = edit.first(where);
  return edit.without((one) => where(one) && !isFirst(one));
}

/** The first of these requests is sent again at the end, and answered so. */
const atLast =
  (where: edit.Where, change: edit.Edit): edit.Change =>
  (all) => {
    const exchanges = edit.exchangesIn(all);
    const list = exchanges.find(where);
    const last = exchanges.at(-1);
    if (list === undefined || last === undefined) return all;
    const { sent, received } = last;
    const one = change({ ...list, n: last.n + 1, sent, received });
    return all.flatMap((line): readonly JournalLine[] => (line.kind === 'end' ? [one, line] : [line]));
  };

const spelled = (step: StepName) => edit.asked(otherSpellings.id, step);
const otherPath = spelled('a file extension');
const browser = spelled('without a key, as a signed-in user of a browser');
/** A category of another client. */
const THEIRS = '{"id":99,"name":"theirs"}';
const OURS = '[{"id":1,"name":"pc-virtual1-full-1"}]';

/** Requests that the specification does not show: only what they serve counts. */
const judgedByWhatIsServed = (
  [
    ['AUTH-1', 'without a key, as a signed-in user of a browser'],
    ['AUTH-2', 'Bearer *'],
    ['AUTH-3', 'key with other characters in its middle'],
  ] as const
).flatMap(([id, step]) => {
  const one = spelled(step);
  return rowsOf(id, {
    [`${step}: served`]: fail(served(one, OURS)),
    [`${step}: created`]: fail(at(one, edit.status(201), edit.responseBody('{"id":1,"name":"x"}'))),
    ...each([301, 400, 403, 404, 405, 500], (status) => [
      `${step}: ${status}`,
      pass(at(one, edit.status(status))),
    ]),
    [`${step}: 429`]: pass(at(one, edit.limited)),
    [`${step}: no response`]: pass(at(one, edit.silent('timeout'))),
  });
});

/** Requests without a valid key in other spellings of the path, by other methods and with odd tokens: AUTH-1 to AUTH-4. */
const otherSpellingRows = [
  ...judgedByWhatIsServed,
  ...rowsOf('AUTH-1', {
    'another list at another path': pass(served(otherPath, '[{"id":1,"name":"x"}]')),
    ...each(['[{"id":5,"name":"x"},THEIRS]', '{"page":1,"items":[{"id":5,"name":"x"},THEIRS]}'], (text) => [
      `a category that the key saw at another path: ${text}`,
      fail(
        edit.all(
          edit.rewriteAt(keyed, (body) => body.replace('[', `[${THEIRS},`).replace(',]', ']')),
          served(otherPath, text.replace('THEIRS', THEIRS)),
        ),
      ),
    ]),
    'an empty list for a browser': fail(served(browser, '[]')),
    'a preflight': pass(edit.at(spelled('OPTIONS without a key'), edit.status(204), edit.responseBody(''))),
    HEAD: warn(served(spelled('HEAD without a key'), '')),
    'HEAD and GET': fail(served((one) => cold(one) || spelled('HEAD without a key')(one), '')),
    'a creation at another path got its category': fail(
      edit.at(spelled('creation: a path parameter'), edit.status(200), (one) =>
        edit.responseBody({ id: 5, name: sentCategory(one)?.name })(one),
      ),
    ),
    'a name that the run created, in a text at another path': fail(
      served(otherPath, { found: { rows: ['x', 'pc-virtual1-full-1'] } }),
    ),
    'other spellings that a gateway answered, which shows nothing of them': pass(
      edit.at(edit.asked(otherSpellings.id), edit.status(503)),
      /^(?!.*No other spelling)/s,
    ),
  }),
  ...rowsOf('AUTH-3', {
    'a creation with an extended key: 403': fail(
      edit.at(spelled('creation: key with one character more'), edit.status(403)),
    ),
  }),
];

/** What a firewall answers to whatever it does not let pass. */
const blocked: readonly edit.Edit[] = [
  edit.status(403),
  edit.header('Content-Type', 'text/html'),
  edit.withoutRateHeaders,
  edit.responseBody('<html><title>Blocked</title></html>'),
];
testJudges('authentication', lines, [
  ...(['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4'] as const).flatMap((id) =>
    rowsOf(id, {
      'a page with 403 for everything, the valid key included': inconclusive(
        at(() => true, ...blocked),
        /firewall/,
      ),
      'a 403 of a gateway for everything, the valid key included': inconclusive(
        at(() => true, ...blocked, edit.header('Content-Type', 'application/json'), edit.responseBody({})),
        /gateway/,
      ),
    }),
  ),
  ...otherSpellingRows,
  ...unauthenticated,
  ...rowsOf('AUTH-1', {
    'a kept connection was closed before each question, which was asked again (K53)': pass(
      edit.closedBefore(({ caller }) => caller === 'unauthenticated'),
    ),
  }),
  ...rowsOf('AUTH-3', {
    '429, then 401': pass(askedAgain(EXTENDED)),
    '429, then let in': fail(askedAgain(EXTENDED, edit.status(200), edit.responseBody([]))),
    '429 twice, then 401': pass(edit.all(askedAgain(EXTENDED, edit.limited), again(EXTENDED))),
    '429 twice': inconclusive(askedAgain(EXTENDED, edit.limited)),
  }),
  ...rowsOf('AUTH-4', {
    'a 423 after which the key could not be tried': inconclusive(untried(cookie, edit.status(423))),
    'a 400 after which the key could not be tried': fail(untried(cookie, edit.status(400))),
    'a 403 after which the key could not be tried, as one before it': fail(
      edit.all(untried(cookie, edit.status(403)), at(cold, edit.status(403))),
    ),
    'a 403 after which the key got 200': fail(
      edit.all(untried(cookie, edit.status(403)), atLast(keyed, edit.status(200))),
    ),
  }),
  ...rowsOf('AUTH-3', {
    'a lockout before the last requests with a text like the key': inconclusive(
      edit.all(
        atLast(cold, (one) => ({ ...one, step: lockoutSteps.withoutKey })),
        at((one) => asked(otherSpellings.id)(one) || one.step === lockoutSteps.withoutKey, ...blocked),
      ),
      /answered 11 requests of this requirement, the first of them "creation: key without its last character"/,
    ),
  }),
  ...rowsOf('AUTH-6', {
    '429, then 400': warn(askedAgain('invalid creation without a key', edit.status(400))),
  }),
  ...rowsOf('AUTH-5', {
    '401, and 404 with the key': pass(at(asked('other-operations'), edit.status(404))),
    '403, and with the key 404 once and then 200': fail(
      edit.all(
        at(named, edit.status(403)),
        edit.precededBy(asked('other-operations'), edit.status(404)),
        at(both(asked('other-operations'), edit.answered(501)), edit.status(200)),
      ),
    ),
    '501 of the service': fail(at(named, edit.status(501))),
    ...each([400, 403, 404, 405], (status) => [
      `403, and ${status} with the key: nothing shows that they are there`,
      notTested(edit.all(at(named, edit.status(403)), at(asked('other-operations'), edit.status(status)))),
    ]),
    '403, and with the key the 501 of a router without the headers': notTested(
      edit.all(at(named, edit.status(403)), at(asked('other-operations'), edit.withoutRateHeaders)),
    ),
    'a 429, and 404 with the key': inconclusive(
      edit.all(at(named, edit.limited), at(asked('other-operations'), edit.status(404))),
    ),
    '404 to the only one that was asked': notTested(edit.all(onlyFirst(named), at(named, edit.status(404)))),
    'one is there and open': fail(
      edit.all(
        at(both(named, on('/v1/pets/1')), edit.status(404)),
        at(both(named, on('/v1/store/orders')), edit.status(200)),
      ),
    ),
  }),
]);
