import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn } from '../../../evaluation/testing/rate-limits/steady.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { transitionsBefore429 } from '../series/transitions.ts';
import { countsInvalidCredentials } from './similar-keys.ts';

const MOST_CHANCE = 1e-6;
const KINDS = ['key without its last character', 'key with one character more'];

/**
 * Lists with the key, after each of which a similar key may follow: `-` and `+`
 * are sent, `x` is another client's. What `counted` names lowers Remaining.
 */
function sent(order: string, counted: string) {
  const run = new Synthesis();
  const similar: Exchange[] = [];
  let left = 60;
  for (const kind of order) {
    if (kind === '.' || counted.includes(kind)) left -= 1;
    if (kind === '.') run.add({ left });
    if (kind !== '-' && kind !== '+') continue;
    run.add({ caller: 'unauthenticated', status: 401, left: null });
    const exchange = run.exchanges.at(-1) as Exchange;
    const credential = `Bearer [${KINDS[kind === '-' ? 0 : 1]}]`;
    similar.push({ ...exchange, request: { ...exchange.request, headers: [['Authorization', credential]] } });
  }
  const keyed = run.exchanges.filter(({ caller }) => caller === 'key');
  return { changes: transitionsBefore429(seriesIn({ exchanges: keyed } as Synthesis), QUOTA.limit), similar };
}

const ORDER = '...-.+...-+..-.....+.-...+..-......+.-....+..-...+..-..+...';

for (const [what, order, counted, expected] of [
  ['both kinds are counted', ORDER, '-+', true],
  ['one kind is counted, at seven places', ORDER, '-', true],
  ['no kind is counted', ORDER, '', false],
  ['another client sends at other times', ORDER.replaceAll('...', '..x.'), 'x', false],
  ['one kind is counted, and another client sends once', ORDER.replace('.....', '..x...'), '-x', false],
  ['one kind is counted, at two places', '....-.......-........', '-', false],
] as const) {
  test(`requests with a similar key, where ${what}: ${expected}`, () => {
    const { changes, similar } = sent(order, counted);
    assert.equal(countsInvalidCredentials(changes, similar, MOST_CHANCE), expected);
  });
}
