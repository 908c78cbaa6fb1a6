import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFault } from '../../catalogue/index.ts';
import { virtualRun } from '../../evaluation/simulation/virtual-run.ts';
import type { Seams } from '../../reference-server/index.ts';
import type { RunRecord } from '../model/record.ts';

/** A gateway that is alone for a moment at every n-th request, before the service counts it or after. */
const aloneAtEvery = (n: number, counted: boolean): Seams => ({
  wrapService: (answer) => {
    let asked = 0;
    return (request) => {
      asked += 1;
      if (asked % n !== 0) return answer(request);
      if (counted) answer(request);
      return {
        kind: 'response',
        status: 503,
        headers: [['Content-Type', 'text/plain']],
        body: Buffer.from('nobody there'),
      };
    };
  },
});

const accusations = ({ requirements }: RunRecord): readonly string[] =>
  requirements.filter(({ verdict }) => verdict === 'fail').map(({ id, because }) => `${id}: ${because}`);

test('a gateway that is alone for a moment now and then accuses the service of nothing', async () => {
  for (const counted of [false, true]) {
    for (const n of [7, 11, 20, 23, 37, 50, 61, 67, 68, 69]) {
      const { record } = await virtualRun({ fault: aloneAtEvery(n, counted) });
      assert.deepEqual(accusations(record), [], `at every request number ${n}`);
      assert.equal(record.requirements.find(({ id }) => id === 'HTTP-4')?.verdict, 'warn');
    }
  }
});

test('where the limit ends in a 503, the 429 that was not seen is explained by it', async () => {
  const { record } = await virtualRun({ fault: findFault('too-many-requests-503') });
  const said = (id: string) => record.requirements.find((one) => one.id === id);
  assert.equal(said('LIMIT-3')?.verdict, 'fail');
  assert.match(
    said('RETRY-1')?.because ?? '',
    /^No 429 response was received\. Exchange \d+ was answered 503,/,
  );
  assert.match(said('LIMIT-2')?.because ?? '', /too few requests were accepted \(\d+\).* was answered 503,/);
});
