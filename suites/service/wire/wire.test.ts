import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noResponseOf, systemClock, UNREADABLE_HEAD } from './wire.ts';

const coded = (code: string, message = 'it failed', more: object = {}): Error =>
  Object.assign(new Error(message), { code }, more);

const TLS = '40E7:error:0A000438:SSL routines:ssl3_read_bytes:tlsv1 alert internal error:../ssl/rec.c:1605:';
const reason = 'tlsv1 alert internal error';

/** What came instead of a response, by the error of the network. */
const rows: Readonly<Record<string, readonly [error: unknown, cause: string, detail: string]>> = {
  'a connection that is refused': [coded('ECONNREFUSED'), 'refused', 'it failed'],
  'a host with several addresses: the last error counts': [
    new AggregateError([coded('ECONNRESET', 'first'), coded('ENOTFOUND', 'last')], 'all failed'),
    ...(['dns', 'last'] as const),
  ],
  'several addresses without an error of their own': [new AggregateError([], 'none'), 'protocol', 'none'],
  'an error within another one': [
    new Error('fetch failed', { cause: coded('EPIPE', 'inner') }),
    ...(['reset', 'inner'] as const),
  ],
  'a timeout of this program': [new Error('too long', { cause: 'timeout' }), 'timeout', 'too long'],
  'a certificate that nobody trusts': [coded('CERT_HAS_EXPIRED', 'expired'), 'tls', 'expired'],
  'an error of OpenSSL, whose own reason is enough': [coded('EPROTO', TLS, { reason }), 'tls', reason],
  'one without a reason': [coded('EPROTO', TLS), 'tls', TLS],
  'one whose reason is no text': [coded('EPROTO', TLS, { reason: 7 }), 'tls', TLS],
  'a reason of another error': [coded('EPROTO', 'other', { reason }), 'tls', 'other'],
  'a head that no client reads': [coded(UNREADABLE_HEAD), 'malformed', 'it failed'],
  'a code that is not known': [coded('EWHAT'), 'protocol', 'it failed'],
  'a code without a text': [coded('EWHAT', ''), 'protocol', 'EWHAT'],
  'neither code nor text': [Object.assign(new TypeError('x'), { message: '' }), 'protocol', 'TypeError'],
  'a code that is no text': [Object.assign(new Error('odd'), { code: 7 }), 'protocol', 'odd'],
  'no error at all': ['gone', 'protocol', 'gone'],
  'nothing at all': [null, 'protocol', 'null'],
};

for (const [what, [error, cause, detail]] of Object.entries(rows)) {
  test(`no response: ${what}`, () => {
    assert.deepEqual(noResponseOf(error), { cause, detail });
  });
}

test('the clock of this machine sleeps for as long as it is asked to, and not at all for nothing', async () => {
  const from = performance.now();
  await systemClock.sleep(0);
  await systemClock.sleep(5);
  assert.ok(performance.now() - from >= 5);
  await assert.rejects(systemClock.sleep(60_000, AbortSignal.abort()), { name: 'AbortError' });
});
