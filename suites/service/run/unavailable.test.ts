import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import type { Seams } from '../../../reference-server/seams.ts';

/** A gateway that cannot reach the service at every n-th request, before the service counts it or after. */
const unavailableAtEvery = (n: number, counted: boolean): Seams => ({
  wrapService: (answer) => {
    let requests = 0;
    return (request) => {
      requests += 1;
      if (requests % n !== 0) return answer(request);
      if (counted) answer(request);
      return {
        kind: 'response',
        status: 503,
        headers: [['Content-Type', 'text/plain']],
        body: Buffer.from('no upstream'),
      };
    };
  },
});

const failures = ({ requirements }: RunRecord): readonly string[] =>
  requirements.filter(({ verdict }) => verdict === 'fail').map(({ id, because }) => `${id}: ${because}`);

test('a gateway that is sometimes unavailable causes no fail', async () => {
  for (const counted of [false, true]) {
    for (const n of [7, 11, 20, 23, 37, 50, 61, 67, 68, 69]) {
      const { record } = await virtualRun({ fault: unavailableAtEvery(n, counted) });
      assert.deepEqual(failures(record), [], `at every request number ${n}`);
      assert.equal(record.requirements.find(({ id }) => id === 'HTTP-4')?.verdict, 'warn');
    }
  }
});

test('a 503 at the end of the quota explains why no 429 was seen', async () => {
  const { record } = await virtualRun({ fault: findFault('too-many-requests-503') });
  const said = (id: string) => record.requirements.find((one) => one.id === id);
  assert.equal(said('LIMIT-3')?.verdict, 'fail');
  assert.match(said('RETRY-1')?.because ?? '', /^No 429 response was received\. Exchange \d+ returned 503,/);
  assert.match(said('LIMIT-2')?.because ?? '', /too few requests were accepted \(\d+\).* returned 503,/);
});
