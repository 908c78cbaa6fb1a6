import assert from 'node:assert/strict';
import { test } from 'node:test';
import { body, excerptOf, exchangeOf, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Body } from '../../../kernel/exchanges/exchange.ts';
import { excerpt, numberRemarks, timeRemarks } from './run-remarks.ts';

for (const [numbers, remark] of [
  [[1, 2, 3], undefined],
  [[2, 3], 'The journal lacks 1 exchange: 1. '],
  [[1, 3, 7, 8], 'The journal lacks 4 exchanges: 2, 4 to 6. '],
  [[1, 3, 5, 7, 9, 11], 'The journal lacks 5 exchanges: 2, 4, 6, 8, 10. '],
  [[1, 3, 5, 7, 9, 11, 13], 'The journal lacks 6 exchanges: 2, 4, 6, 8, 10 and others. '],
  [[1, 1, 2], 'Exchange 1 stands in the journal after a later one, or twice'],
  [[1, 3, 2], 'Exchange 2 stands in the journal after a later one, or twice'],
] as const) {
  test(`a journal with the exchanges ${numbers.join(', ')} has ${remark ?? 'no remark'}`, () => {
    const [found, ...more] = numberRemarks(numbers);
    assert.equal(found?.startsWith(remark ?? ''), remark === undefined ? undefined : true);
    assert.deepEqual(more, []);
  });
}

for (const [what, found, ...sent] of [
  ['at the same time', undefined, [1, 4], [1, 2]],
  ['of which one is received when it is sent', undefined, [1, 1]],
  ['of which one is received before it is sent', 'exchange 2', [1, 2], [3, 2]],
  ['of which one is sent before the one ahead of it', 'exchange 3', [1, 2], [5, 6], [4, 7]],
] as const) {
  test(`exchanges ${what} have ${found === undefined ? 'the' : 'no'} times of a run`, () => {
    const { exchanges } = new Synthesis().add(...sent.map(([at, received]) => ({ sent: at, received })));
    const [remark] = timeRemarks(exchanges, (exchange) => exchange.sent);
    assert.equal(remark?.includes(`The times of ${found} `), found === undefined ? undefined : true);
  });
}

test('a report shows when an exchange was sent and how long it took, to a hundredth of a millisecond', () => {
  const { at, milliseconds } = excerpt(exchangeOf({ sent: 1234.567, received: 1240.1 }), 234.5);
  assert.deepEqual([at, milliseconds], [1000.07, 5.53]);
});

test('a report shows a long header, and why no response came, up to 300 characters', () => {
  const [enough, more] = [300, 301].map((length) => 'x'.repeat(length - 'X: '.length));
  const { answerHeaders } = excerpt(
    exchangeOf({
      headers: [
        ['X', enough ?? ''],
        ['X', more ?? ''],
      ],
    }),
    0,
  );
  assert.deepEqual(answerHeaders.slice(-2), [`X: ${enough}`, `X: ${enough}…`]);
});

for (const [what, shown, received] of [
  ['a body of 2000 characters', 'x'.repeat(2000), body('x'.repeat(2000))],
  ['a longer one', `${'x'.repeat(2000)} … (2001 bytes in all)`, body('x'.repeat(2001))],
  [
    'one that was not recorded in full',
    `${'x'.repeat(2000)} … (9000 bytes arrived)`,
    excerptOf('x'.repeat(2001), 9000),
  ],
] as const satisfies readonly (readonly [string, string, Body])[]) {
  test(`a report shows ${what}`, () => {
    const exchange = exchangeOf({});
    assert.ok(exchange.outcome.kind === 'answer');
    const { answerBody } = excerpt({ ...exchange, outcome: { ...exchange.outcome, body: received } }, 0);
    assert.equal(answerBody, shown);
  });
}
