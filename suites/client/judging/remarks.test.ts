import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgedClient, limited, list, waits } from '../../../evaluation/testing/clients/judged-client.ts';
import type { StatedStart } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { clientJournal } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { waitSeconds } from '../scenarios/waiting.ts';

const remarksOn = (start: Omit<StatedStart, 'scenario'>): string =>
  judgedClient(clientJournal([...waits(), { scenario: waitSeconds, ...start }])).remarks.join(' ');

const failed = { kind: 'exited', code: 1 } as const;
const printed = 'Traceback\n  File "client.py", line 3\nValueError: invalid literal for int()\n';

test('a client that ends at its first 429 is quoted with what it printed', () => {
  assert.match(
    remarksOn({ requests: [limited(0, '3')], exit: failed, printed }),
    /In 1 start the client sent nothing after its first 429 response, and did not end with status 0\. It printed: "ValueError: invalid literal for int\(\)"\./,
  );
});

for (const [what, start] of [
  ['goes on', { requests: [limited(0, '3'), list(3001)], exit: failed, printed }],
  ['retried before', { requests: [limited(0, '3'), limited(3001, '3')], exit: failed, printed }],
  ['succeeds', { requests: [limited(0, '3')], printed }],
  ['prints nothing', { requests: [limited(0, '3')], exit: failed }],
] as const) {
  test(`a client that ${what} is not`, () => {
    assert.doesNotMatch(remarksOn(start), /first 429/);
  });
}
