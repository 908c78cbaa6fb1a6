import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { virtualLoad } from './virtual-load.ts';

for (const [fault, named] of [
  ['lists-from-a-cache', /A cache answered request \d+ \(X-Cache: HIT\)/],
  ['lists-from-a-cache-with-a-new-date', /A cache answered request \d+ \(Age: \d\)/],
  ['lists-from-a-cache-without-a-trace', /shows the Date, Remaining and Reset of request \d+ again: a cache/],
  ['one-too-many', /accepted/],
] as const) {
  test(`a load run finds ${fault}, and names a cache only where there is one`, async () => {
    const { record } = await virtualLoad({ profile: 'over-limit', fault: findFault(fault) });
    const found = record.requirements.find(({ id }) => id === 'CEILING');
    assert.equal(found?.verdict, 'fail', found?.because);
    assert.match(found?.because ?? '', named);
    assert.equal(/cache/.test(found?.because ?? ''), fault.includes('cache'));
  });
}
