import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgedClient, limited, list, waits } from '../../evaluation/testing/clients/judged-client.ts';
import { clientJournal, headersOf } from '../../evaluation/testing/clients/synthetic-client.ts';
import type { HeaderLine } from '../../exchanges/exchange.ts';

/** The remarks about a library, of a client that sends this User-Agent and waits so long after Retry-After 3. */
function advice(agent: string, waitedMs: number): readonly string[] {
  const headers: readonly HeaderLine[] = [...headersOf('GET'), ['User-Agent', agent]];
  const seconds = [limited(0, '3'), list(waitedMs)].map((one) => ({ ...one, headers }));
  const { remarks } = judgedClient(clientJournal(waits({ seconds })));
  return remarks.filter((one) => one.includes('User-Agent'));
}

test('a client that comes too early is shown how its library is set right', () => {
  const [remark = '', ...others] = advice('python-requests/2.34.2', 500);
  assert.deepEqual(others, []);
  assert.match(
    remark,
    /^By its User-Agent the client uses requests\. How it is set right \(proven with version 2/,
  );
});

test('nothing is said to a client that waits, or of a library that is unknown', () => {
  assert.deepEqual(advice('python-requests/2.34.2', 3100), []);
  assert.deepEqual(advice('<script>pets</script>', 500), []);
});
