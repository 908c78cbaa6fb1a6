import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../exchanges/exchange.ts';
import { lockoutsIn } from './lockout.ts';

interface Sent {
  readonly caller: 'key' | 'unauthenticated';
  readonly status: number | undefined;
  readonly page?: boolean;
  readonly probe?: string;
}

const key = (status: number | undefined, more: Partial<Sent> = {}): Sent => ({
  caller: 'key',
  status,
  ...more,
});
const other = (status: number | undefined, more: Partial<Sent> = {}): Sent => ({
  caller: 'unauthenticated',
  status,
  ...more,
});

const journalOf = (all: readonly Sent[]): readonly Exchange[] =>
  all.map(({ caller, status, page = false, probe = 'any' }, i) => ({
    kind: 'exchange',
    n: i + 1,
    probe,
    step: 'list',
    caller,
    connection: { id: 1, fresh: false },
    request: { method: 'GET', target: '/v1/categories', headers: [['Authorization', caller]], body: null },
    sent: { wall: i, mono: i },
    received: { wall: i, mono: i },
    outcome:
      status === undefined
        ? { kind: 'no-response', cause: 'timeout', detail: 'timeout' }
        : {
            kind: 'answer',
            status,
            headers: page ? [['Content-Type', 'text/html']] : [['X-RateLimit-Remaining', '1']],
            body: { text: '', encoding: 'utf8', bytes: 0, cut: false },
          },
  }));

const found = (...all: readonly Sent[]): string | undefined => {
  const [first] = lockoutsIn(journalOf(all));
  return first === undefined
    ? undefined
    : `${first.affects}, ${first.exchanges.map(({ n }) => n).join(' ')}${first.lasts ? '' : ', ended'}`;
};

const page = { page: true };

test('an address that was answered before, and then gets one page, is locked out', () => {
  assert.equal(found(other(401), key(200), other(401), other(403, page), key(403, page)), 'everyone, 4 5');
  assert.equal(found(other(401), key(200), key(401, page), other(401, page)), 'everyone, 3 4');
  assert.equal(found(other(401), key(200), key(429, page), other(429, page)), 'everyone, 3 4');
  assert.equal(found(other(401), key(200), other(undefined), key(undefined)), 'everyone, 3 4');
  assert.equal(
    found(other(401), key(200), key(403, page), other(403, page), key(200), other(401)),
    'everyone, 3 4, ended',
  );
});

test('a service that answers so from the start locks out nobody', () => {
  assert.equal(found(other(403), key(200), other(403), other(403)), undefined);
  assert.equal(found(other(401), key(403), key(403), other(401)), undefined);
});

test('requests without a valid key are locked out where the list without one was answered 401', () => {
  assert.equal(found(other(401), key(200), other(403), other(403)), 'requests without a valid key, 3 4');
  assert.equal(found(other(401), key(200), other(403), other(401)), undefined);
  assert.equal(found(other(401), key(200), other(500), other(500)), undefined);
});

test('a key is locked out by the run where it sent requests without a valid key meanwhile', () => {
  assert.equal(found(other(401), key(200), other(401), key(401), key(401)), 'the key, 4 5');
  assert.equal(found(other(401), key(200), key(403), key(403), other(401)), undefined);
});

test('a limit under another status, and a limit by address, are no lockouts', () => {
  const atLimit = { probe: 'exhaust-quota' };
  assert.equal(found(other(401), key(200), key(403, atLimit), other(403), key(200), other(401)), undefined);
  assert.equal(found(other(401), key(200), key(429), other(429), key(200), other(401)), undefined);
});
