import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { Evidence } from './evidence.ts';

const limited: StagedExchange = { status: 429, left: 0 };

/** Requests that are alike but for their answers, and the numbers of those that prove something. */
const rows: Readonly<Record<string, readonly [sent: readonly StagedExchange[], proving: readonly number[]]>> =
  {
    'accepted twice': [
      [{}, {}],
      [1, 2],
    ],
    'accepted after a 429': [[limited, {}], [2]],
    'accepted after a 429 of the key in another form': [
      [{ ...limited, caller: 'unspecified' }, { caller: 'unspecified' }],
      [2],
    ],
    'accepted after a 429 of another caller': [
      [{ ...limited, caller: 'other' }, { caller: 'other' }],
      [1, 2],
    ],
    'a 429 after it was accepted': [
      [{}, limited],
      [1, 2],
    ],
    'accepted after the service was unavailable': [[{ status: 503 }, {}], [2]],
    'accepted after an error that may pass': [[{ status: 500 }, {}], [2]],
    'accepted after an error that may pass, and after another request': [
      [{ status: 500 }, { path: '/v1/pets' }, {}],
      [1, 2, 3],
    ],
    'accepted after each of three errors that may pass': [
      [{ status: 500 }, {}, { status: 500 }, {}, { status: 500 }, {}],
      [1, 2, 3, 4, 5, 6],
    ],
    'accepted after each of two errors that may pass': [
      [{ status: 500 }, {}, { status: 500 }, {}],
      [2, 4],
    ],
    'accepted after a rejection': [
      [{ status: 400 }, {}],
      [1, 2],
    ],
    'accepted after a kept connection was closed': [[{ noResponse: 'reset' }, {}], [2]],
    'accepted after a new connection was closed': [
      [{ noResponse: 'reset', fresh: true }, {}],
      [1, 2],
    ],
    'accepted after no response came': [
      [{ noResponse: 'timeout' }, {}],
      [1, 2],
    ],
    'another request accepted after a 429': [
      [limited, { path: '/v1/pets' }],
      [1, 2],
    ],
  };

for (const [what, [sent, proving]] of Object.entries(rows)) {
  test(`what proves something of requests: ${what}`, () => {
    const run = new Synthesis().add(...sent.map((one) => ({ probe: 'preflight', ...one })));
    const evidence = new Evidence(RUN, run.lines());
    assert.deepEqual(
      evidence.of('preflight').map(({ n }) => n),
      proving,
    );
  });
}
