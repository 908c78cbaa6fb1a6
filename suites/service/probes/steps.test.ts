import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { limitedReply, okReply, scriptedTarget } from '../../../evaluation/testing/suites/scripted-target.ts';
import { RUN } from '../../../evaluation/testing/suites/synthetic.ts';
import { testRows } from '../../../evaluation/testing/suites/verdict-rows.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../../reference-server/catalogue/variants/index.ts';
import { composed } from '../../../reference-server/seams.ts';
import { Evidence } from '../evidence/evidence.ts';
import { Pacer } from '../pacing/pacer.ts';
import { ban } from './ban.ts';
import { clientChosenId, listRequest, nameForms, SHORTEST_NAME } from './category-requests.ts';
import { exhaustQuota } from './exhaust-quota.ts';
import { otherCaller } from './other-callers.ts';
import { COOKIES_OF_TARGET, otherSpellings } from './other-spellings.ts';
import { preflight } from './preflight.ts';
import { recovery, refill } from './recovery.ts';
import { invalidBodies } from './valid-creation.ts';

test('a step of another probe does not compile', () => {
  const evidence = new Evidence(RUN, [RUN]);
  assert.deepEqual(evidence.step('ban', ban.steps.persist), []);
  // @ts-expect-error: this is a step of exhaust-quota.
  assert.deepEqual(evidence.step('ban', exhaustQuota.steps.oneByOne), []);
});

for (const [fault, method] of [
  ['creations-limited-with-one-remaining', 'POST'],
  ['creations-limited-without-headers', 'GET'],
] as const) {
  test(`after a 429 to a creation the next request is ${method}: ${fault}`, async () => {
    const { lines } = await virtualRun({ fault: findFault(fault) });
    const sent = edit.exchangesIn(lines, edit.asked(recovery.id));
    assert.deepEqual(
      sent.map(({ request }) => request.method),
      [method],
    );
  });
}

test('how fast the quota comes back is measured below a limit of requests in flight', async () => {
  const fault = findVariant('5-in-flight');
  const { lines } = await virtualRun({ fault, algorithm: 'fixed-window', exclusiveKey: true });
  const statuses = edit.exchangesIn(lines, edit.asked(refill.id)).map(statusOf);
  assert.ok(statuses.length > 0 && !statuses.includes(429));
});

test('where the run is locked out, nothing waits for requests without a valid key', async () => {
  const { lines } = await virtualRun({ fault: findVariant('failed-logins-locked-out') });
  const waits = lines.flatMap((line) => (line.kind === 'wait' ? [line.because] : []));
  assert.ok(waits.length > 0 && !waits.join().includes('without a valid key'));
});

test('where the key has to wait too long, the other caller is not asked again', async () => {
  const fault = composed(findVariant('penalty-of-an-hour'), findVariant('other-key-always-exhausted'));
  const { lines } = await virtualRun({ fault });
  const others = edit.exchangesIn(lines, ({ caller }) => caller === 'other');
  assert.deepEqual(
    others.map(({ probe }) => probe),
    [otherCaller.id],
  );
});

/** The quota came back early, though not in full, so it is measured how fast a bucket fills. */
for (const [what, measuring, requests] of [
  ['a single request', [okReply(55), limitedReply('9')], 2],
  ['one of several at the same time', [okReply(59), okReply(58), limitedReply('9')], 12],
] as const) {
  test(`a 429 to ${what} ends what measures a bucket`, async () => {
    const { session, clock, received } = scriptedTarget(okReply(59), okReply(50), ...measuring);
    const pacer = new Pacer(session, RUN.limits);
    session.beginProbe(preflight.id);
    await clock.run(pacer.sendWithKeyNow(preflight.steps.baseline, listRequest()));
    session.beginProbe(recovery.id);
    await clock.run(pacer.sendWithKeyNow(recovery.steps.afterRetryAfter, listRequest()));
    session.beginProbe(refill.id);
    await clock.run(refill.run(pacer));
    assert.equal(received.length, 2 + requests);
  });
}

const { lines } = await virtualRun({ fault: findVariant('cookies-without-effect') });
const cookies = edit.asked(otherSpellings.id, COOKIES_OF_TARGET);

test('the cookies of the target are sent back, and recorded by their names', () => {
  const [sent] = edit.exchangesIn(lines, cookies);
  assert.deepEqual(
    sent?.request.headers.find(([name]) => name === 'Cookie'),
    ['Cookie', 'node=[not recorded 3]; session=[not recorded 4]'],
  );
});

testRows(
  lines,
  edit.rowsOf('AUTH-4', {
    '401': edit.pass(edit.unchanged),
    '403': edit.pass(edit.at(cookies, edit.status(403))),
    '429': edit.pass(edit.at(cookies, edit.limited)),
    'the list': edit.fail(edit.at(cookies, edit.status(200), edit.responseBody([]))),
  }),
);

const WHATS = [
  'full-1',
  'name-alone',
  'own-id-1',
  'own-id-2',
  ...invalidBodies.map((_, i) => `bad-${i + 1}`),
];
const TAGS = Array.from({ length: 300 }, (_, n) => `tag${n}`);

test('names of every form differ within a run and between runs, and none is too short to be recognized', () => {
  for (const form of [0, 1, 2, 3]) {
    const names = TAGS.flatMap((tag) => WHATS.map((what) => nameForms({ tag })[form]?.write(what) ?? ''));
    // Six letters: of thousands of names hardly two are the same.
    assert.ok(names.length - new Set(names).size <= 1);
    assert.ok(names.every((name) => name.length >= SHORTEST_NAME));
  }
});

test('the plainest names are letters alone, and no first name is longer than 22 characters', () => {
  for (const what of WHATS) {
    const [first, plain, twoWords, capital] = nameForms({ tag: 'abcdefgh' }).map((form) => form.write(what));
    assert.match(first ?? '', /^pc-abcdefgh-[a-z0-9-]{1,10}$/);
    assert.match(plain ?? '', /^pc[a-z]{6}$/);
    assert.match(twoWords ?? '', /^Pet [A-Z][a-z]{5}$/);
    assert.match(capital ?? '', /^Pc[a-z]{6}$/);
  }
});

test('a pattern of the user gives names that differ in its placeholder', () => {
  for (const [placeholder, form] of Object.entries({
    id: '[a-z]{6}',
    ID: '[A-Z]{6}',
    number: '[1-9][0-9]{7}',
  })) {
    const [first] = nameForms({ tag: 'abcdefgh', namePattern: `Pet {${placeholder}} {` });
    assert.match(first.write('full-1'), new RegExp(`^Pet ${form} \\{$`));
    assert.notEqual(first.write('full-1'), first.write('full-2'));
  }
});

test('the id that no service assigns by itself fits into 32 bits', () => {
  for (const tag of TAGS) {
    const id = clientChosenId(tag);
    assert.ok(Number.isSafeInteger(id) && id >= 10 ** 9 && id < 2 ** 31);
  }
});
