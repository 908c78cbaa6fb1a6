import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn } from '../../../evaluation/testing/suites/uses.ts';
import { lockoutsIn } from './lockout.ts';

const found = (sent: string): string | undefined => {
  const [first] = lockoutsIn(inTurn(sent));
  return first === undefined
    ? undefined
    : `${first.affects}, ${first.exchanges.map(({ n }) => n).join(' ')}${first.lasts ? '' : ', ended'}`;
};

test('an address that was answered before, and then gets one page, is locked out', () => {
  assert.equal(found('U401 K200 U401 U403p K403p'), 'everyone, 4 5');
  assert.equal(found('U401 K200 K401p U401p'), 'everyone, 3 4');
  assert.equal(found('U401 K200 K429p U429p'), 'everyone, 3 4');
  assert.equal(found('U401 K200 U- K-'), 'everyone, 3 4');
  assert.equal(found('U401 K200 K403p U403p K200 U401'), 'everyone, 3 4, ended');
});

test('a service that answers so from the start locks out nobody', () => {
  assert.equal(found('U403 K200 U403 U403'), undefined);
  assert.equal(found('U401 K403 K403 U401'), undefined);
});

test('one page in answer to everything from the start, the key included, comes from before the service', () => {
  assert.equal(found('U403p K403p'), 'everyone, 1 2');
  assert.equal(found('U403p U403p K403p K- U403p'), 'everyone, 1 2 3 4 5');
  for (const sent of [
    'U403p U403p',
    'U403 K403',
    'U401p K401p',
    'U404p K404p',
    'U200p K200p',
    'U403p K200 U403p',
    'U403p K403p U401',
    'U503p K503p',
    'U429p K429p',
  ])
    assert.equal(found(sent), undefined, sent);
});

test('requests without a valid key are locked out where the list without one returned 401', () => {
  assert.equal(found('U401 K200 U403 U403'), 'requests without a valid key, 3 4');
  assert.equal(found('U401 K200 U403 U401'), undefined);
  assert.equal(found('U401 K200 U500 U500'), undefined);
});

test('a key is locked out by the run where it sent requests without a valid key meanwhile', () => {
  assert.equal(found('U401 K200 U401 K401 K401'), 'the key, 4 5');
  assert.equal(found('U401 K200 K403 K403 U401'), undefined);
  assert.equal(found('U401 K200 U- K423 K423'), 'the key, 4 5');
});

test('a limit under another status, and a limit by address, are no lockouts', () => {
  assert.equal(found('U401 K200 K403e U403 K200 U401'), undefined);
  assert.equal(found('U401 K200 K429 U429 K200 U401'), undefined);
});

test('a lost response ends no stretch of one answer, and shows nothing itself', () => {
  assert.equal(found('U401 K200 U401 U403p K- U- K403p'), 'everyone, 4 5 6 7');
  // The key was tried once, and that response was lost.
  assert.equal(found('U401 K200 U403p K- U403p'), 'requests without a valid key, 3 5');
  assert.equal(found('U401 K200 U403p K- U401'), undefined);
});

test('an answer that the target never gave before is part of the lockout where nothing is answered any more', () => {
  assert.equal(found('U401 K200 U401 U403p K- U-'), 'everyone, 4 5 6');
  assert.equal(found('U401 K200 U401 K- U-'), 'everyone, 4 5');
  assert.equal(found('U401 K200 U- U401'), undefined);
});

test('a key that gets no response any more after a rejected one may be that of a dropped address', () => {
  assert.equal(found('U401 K200 U401 K- K- K-'), 'everyone, 4 5 6');
  assert.equal(found('U401 K200 K- K- K-'), undefined);
  assert.equal(found('U401 K200 U401 K- K- K- K200'), undefined);
});

test('a 401 or a 429 without the headers of the service comes from what stands before it', () => {
  const whom = 'requests without a valid key, 3 4';
  assert.equal(found('U401 K200 U429p U429p'), whom);
  assert.equal(found('U401 K200 U401p U401p'), whom);
  assert.equal(found('U401 K200 U429 U429'), undefined);
  assert.equal(found('U401p K200 U429p U429p'), undefined);
});

test('a lockout shows by a later response as well, where it ends', () => {
  assert.equal(found('K200 U403p U403p K400 U401'), undefined);
  assert.equal(found('K200 K400 U403p U403p U401'), 'requests without a valid key, 3 4, ended');
});
