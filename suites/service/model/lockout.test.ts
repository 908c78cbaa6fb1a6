import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Caller } from '../../../kernel/exchanges/exchange.ts';
import { lockoutsIn } from './lockout.ts';

/** A list with this status, and with the headers of the service if not stated otherwise; undefined for no response. */
const listAs =
  (caller: Caller) =>
  (status: number | undefined, more: StagedExchange = {}): StagedExchange => ({
    ...{ caller, probe: 'any', left: 1 },
    ...(status === undefined ? { noResponse: 'timeout' } : { status }),
    ...more,
  });
const key = listAs('key');
const other = listAs('unauthenticated');

const found = (...all: readonly StagedExchange[]): string | undefined => {
  const [first] = lockoutsIn(new Synthesis().add(...all).exchanges);
  return first === undefined
    ? undefined
    : `${first.affects}, ${first.exchanges.map(({ n }) => n).join(' ')}${first.lasts ? '' : ', ended'}`;
};

/** An answer without the headers of the service. */
const page = { left: null };

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

test('requests without a valid key are locked out where the list without one returned 401', () => {
  assert.equal(found(other(401), key(200), other(403), other(403)), 'requests without a valid key, 3 4');
  assert.equal(found(other(401), key(200), other(403), other(401)), undefined);
  assert.equal(found(other(401), key(200), other(500), other(500)), undefined);
});

test('a key is locked out by the run where it sent requests without a valid key meanwhile', () => {
  assert.equal(found(other(401), key(200), other(401), key(401), key(401)), 'the key, 4 5');
  assert.equal(found(other(401), key(200), key(403), key(403), other(401)), undefined);
  assert.equal(found(other(401), key(200), other(undefined), key(423), key(423)), 'the key, 4 5');
});

test('a limit under another status, and a limit by address, are no lockouts', () => {
  const atLimit = { probe: 'exhaust-quota' };
  assert.equal(found(other(401), key(200), key(403, atLimit), other(403), key(200), other(401)), undefined);
  assert.equal(found(other(401), key(200), key(429), other(429), key(200), other(401)), undefined);
});

test('a lost response ends no stretch of one answer, and shows nothing itself', () => {
  assert.equal(
    found(
      other(401),
      key(200),
      other(401),
      other(403, page),
      key(undefined),
      other(undefined),
      key(403, page),
    ),
    'everyone, 4 5 6 7',
  );
  // The key was tried once, and that response was lost.
  assert.equal(
    found(other(401), key(200), other(403, page), key(undefined), other(403, page)),
    'requests without a valid key, 3 5',
  );
  assert.equal(found(other(401), key(200), other(403, page), key(undefined), other(401)), undefined);
});

test('an answer that the target never gave before is part of the lockout where nothing is answered any more', () => {
  assert.equal(
    found(other(401), key(200), other(401), other(403, page), key(undefined), other(undefined)),
    'everyone, 4 5 6',
  );
  assert.equal(found(other(401), key(200), other(401), key(undefined), other(undefined)), 'everyone, 4 5');
  assert.equal(found(other(401), key(200), other(undefined), other(401)), undefined);
});

test('a key that gets no response any more after a rejected one may be that of a dropped address', () => {
  const ends = [key(undefined), key(undefined), key(undefined)];
  assert.equal(found(other(401), key(200), other(401), ...ends), 'everyone, 4 5 6');
  assert.equal(found(other(401), key(200), ...ends), undefined);
  assert.equal(found(other(401), key(200), other(401), ...ends, key(200)), undefined);
});

test('a 401 or a 429 without the headers of the service comes from what stands before it', () => {
  const whom = 'requests without a valid key, 3 4';
  assert.equal(found(other(401), key(200), other(429, page), other(429, page)), whom);
  assert.equal(found(other(401), key(200), other(401, page), other(401, page)), whom);
  assert.equal(found(other(401), key(200), other(429), other(429)), undefined);
  assert.equal(found(other(401, page), key(200), other(429, page), other(429, page)), undefined);
});

test('a lockout shows by a later response as well, where it ends', () => {
  assert.equal(found(key(200), other(403, page), other(403, page), key(400), other(401)), undefined);
  assert.equal(
    found(key(200), key(400), other(403, page), other(403, page), other(401)),
    'requests without a valid key, 3 4, ended',
  );
});
