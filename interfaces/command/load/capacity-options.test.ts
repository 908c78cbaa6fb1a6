import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limitsOf, loadPlans } from '../../../spec/plans.ts';
import { readCapacity } from './capacity-options.ts';

const free = limitsOf(loadPlans(), 'free');

describe('the options of a capacity run', () => {
  test('are read with their units', () => {
    const options = { rate: '1.5', duration: '5m', ramp: '30s', creates: '12.5', arrivals: 'even' } as const;
    assert.deepEqual(readCapacity(options, free, 3), {
      ...{ perSecond: 1.5, seconds: 300, rampSeconds: 30, createShare: 0.125, arrivals: 'even' },
    });
  });

  test('have defaults within every limit', () => {
    const { perSecond, seconds } = readCapacity({}, free, 2);
    assert.deepEqual([perSecond.toFixed(2), seconds], ['1.80', 120]);
  });

  for (const [name, options, message] of [
    ['a rate beyond the keys', { rate: '10' }, /10 requests a second are more than 2 keys .* use 11 keys/],
    ['random arrivals need more', { rate: '1.8', arrivals: 'poisson' }, /use \d+ keys or a lower --rate/],
    ['no rate', { rate: '0' }, /--rate takes/],
    ['no time', { duration: 'long' }, /--duration takes/],
    ['a ramp beyond the duration', { duration: '10s', ramp: '20s' }, /--ramp is longer/],
    ['no percentage', { creates: '101' }, /--creates takes/],
  ] as const) {
    test(`${name}: an error of one sentence`, () => {
      assert.throws(() => readCapacity(options, free, 2), { name: 'UserError', message });
    });
  }

  test('the number of keys in the sentence is enough', () => {
    for (const options of [{ rate: '10' }, { rate: '3', arrivals: 'poisson' }] as const) {
      let needed = 0;
      assert.throws(
        () => readCapacity(options, free, 2),
        (error: Error) => {
          needed = Number(/use (\d+) keys/.exec(error.message)?.[1]);
          return true;
        },
      );
      assert.equal(readCapacity(options, free, needed).perSecond, Number(options.rate));
    }
  });
});
