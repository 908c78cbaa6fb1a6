import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { timelineOf } from './timeline.ts';

const isExchange = (line: { readonly kind: string }): line is Exchange => line.kind === 'exchange';
const exchanges = (await virtualRun({})).lines.filter(isExchange);
const start = exchanges[0]?.sent.mono ?? 0;

test('each exchange has its figures, in the order of sending', () => {
  const { entries, omitted } = timelineOf([...exchanges].reverse(), start);
  assert.equal(omitted, 0);
  assert.equal(entries.length, exchanges.length);
  assert.ok(entries.every(({ at }, i) => i === 0 || at >= (entries[i - 1]?.at ?? 0)));
  const limited = entries.find(({ caller, status }) => caller === 'key' && status === 429);
  assert.ok(limited !== undefined);
  assert.equal(limited.remaining, 0);
  assert.ok((limited.wait ?? 0) > 0 && (limited.wait ?? 0) <= 60_000);
  const { reset = 0, at, wait = 0 } = limited;
  assert.ok(Math.abs(reset - at - wait) < 2500, 'Reset and Retry-After state the same moment');
});

test('of a long run accepted exchanges are left out, evenly, and every other one stays', () => {
  const many = Array.from({ length: 200 }, () => exchanges.map((one) => ({ ...one }))).flat();
  const { entries, omitted } = timelineOf(many, start);
  assert.equal(entries.length, 3000);
  assert.equal(omitted, many.length - 3000);
});

test('what a target makes up is no figure', () => {
  const [first] = exchanges;
  assert.ok(first?.outcome.kind === 'answer');
  const outcome = {
    ...first.outcome,
    status: 429,
    headers: [
      ['X-RateLimit-Reset', '999999999999999'],
      ['Retry-After', '99999999999999999999999'],
      ['X-RateLimit-Remaining', '-1'],
    ] as const,
  };
  const [entry] = timelineOf([{ ...first, outcome }], start).entries;
  assert.deepEqual(Object.keys(entry ?? {}), ['n', 'caller', 'at', 'milliseconds', 'status']);
});
