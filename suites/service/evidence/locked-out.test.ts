import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Caller } from '../../../kernel/exchanges/exchange.ts';
import { lockoutsIn } from '../model/lockout.ts';
import { isLockedOut, withoutLockouts } from './locked-out.ts';

const CALLERS: Readonly<Record<string, Caller>> = { K: 'key', O: 'other', U: 'unauthenticated' };

/** Caller and status of each request, `-` for none, in small letters in the probe that bans the key; and whose answers are set aside. */
const rows: Readonly<Record<string, readonly [sent: string, setAside: string]>> = {
  'nobody is locked out': ['U401 K200 U401 K403', ''],
  'an answer to the key is its own where it was not locked out': ['U401 K200 U403 U403 K200 K403', '3 4'],
  'everyone, a key included that shows nothing itself': ['U401 K200 U401 U403 K403 O403', '4 5 6'],
  'what was rejected before': ['O403 U401 K200 U401 U403 K403', '5 6'],
  'what was rejected in another form': ['U401 K200 U401 U403 K403 O401', '4 5'],
  'within a lockout that ended': ['U401 K200 U401 U403 O403 K403 K200 U401', '4 5 6'],
  'a key after a lockout that ended': ['U401 K200 U401 U403 K403 K200 U401 O403', '4 5'],
  'requests without a key after a lockout that ended': ['U401 K200 U401 U403 K403 K200 U401 U403', '4 5 8'],
  'requests without a key after those alone were locked out': ['U401 K200 U403 U403 U401 U403', '3 4 6'],
  'no answer at all': ['U401 K200 U- K-', '3 4'],
  'what is banned on purpose': ['U401 K200 U403 U403 K200 u403', '3 4'],
  'what is banned on purpose after everyone was locked out': ['U401 K200 U401 U403 K403 k403', '4 5 6'],
  'what is banned on purpose before everyone was locked out': ['U401 K200 k403 U401 U403 K403', '5 6'],
};

const answerOf = (status: string): StagedExchange =>
  status === '-' ? { noResponse: 'timeout' } : { status: Number(status) };

for (const [what, [sent, setAside]] of Object.entries(rows)) {
  test(`whose answers a lockout sets aside: ${what}`, () => {
    const run = new Synthesis();
    for (const [caller = '', ...status] of sent.split(' ')) {
      const probe = caller === caller.toLowerCase() ? 'ban' : 'preflight';
      run.add({ probe, caller: CALLERS[caller.toUpperCase()] ?? 'key', ...answerOf(status.join('')) });
    }
    const left = withoutLockouts(run.exchanges, lockoutsIn(run.exchanges));
    assert.equal(left.flatMap((one) => (isLockedOut(one) ? [one.n] : [])).join(' '), setAside);
  });
}
