import { test } from 'node:test';
import { inTurn } from '../../../evaluation/testing/suites/uses.ts';
import { assertPage } from '../../../evaluation/testing/tools/page.ts';
import { isLockedOut, withoutLockouts } from '../evidence/locked-out.ts';
import { lockoutsIn } from './lockout.ts';

/** What was sent in turn (`inTurn`), by what it shows. */
const sent: Readonly<Record<string, readonly string[]>> = {
  'an address that was answered before, and then gets one page, is locked out': [
    'U401 K200 U401 U403p K403p',
    'U401 K200 K401p U401p',
    'U401 K200 K429p U429p',
    'U401 K200 U- K-',
    'U401 K200 K403p U403p K200 U401',
  ],
  'a service that answers so from the start locks out nobody': [
    'U401 K200 U401 K403',
    'U403 K200 U403 U403',
    'U401 K403 K403 U401',
  ],
  'one page in answer to everything from the start, the key included, comes from before the service': [
    'U403p K403p',
    'U403p U403p K403p K- U403p',
  ],
  'but no page, no 403, no key, or another answer beside it': [
    ...['U403p U403p', 'U403 K403', 'U401p K401p', 'U404p K404p', 'U200p K200p', 'U403p K200 U403p'],
    ...['U403p K403p U401', 'U503p K503p', 'U429p K429p'],
  ],
  'requests without a valid key are locked out where the list without one returned 401': [
    'U401 K200 U403 U403',
    'U401 K200 U403 U401',
    'U401 K200 U500 U500',
  ],
  'a key is locked out by the run where it sent requests without a valid key meanwhile': [
    'U401 K200 U401 K401 K401',
    'U401 K200 K403 K403 U401',
    'U401 K200 U- K423 K423',
  ],
  'a limit under another status, and a limit by address, are no lockouts': [
    'U401 K200 K403e U403 K200 U401',
    'U401 K200 K429 U429 K200 U401',
  ],
  'a lost response ends no stretch of one answer, and shows nothing itself': [
    'U401 K200 U401 U403p K- U- K403p',
    'U401 K200 U403p K- U403p',
    'U401 K200 U403p K- U401',
  ],
  'an answer that the target never gave before is part of the lockout where nothing is answered any more': [
    'U401 K200 U401 U403p K- U-',
    'U401 K200 U401 K- U-',
    'U401 K200 U- U401',
  ],
  'a key that gets no response any more after a rejected one may be that of a dropped address': [
    'U401 K200 U401 K- K- K-',
    'U401 K200 K- K- K-',
    'U401 K200 U401 K- K- K- K200',
  ],
  'a 401 or a 429 without the headers of the service comes from what stands before it': [
    'U401 K200 U429p U429p',
    'U401 K200 U401p U401p',
    'U401 K200 U429 U429',
    'U401p K200 U429p U429p',
  ],
  'a lockout shows by a later response as well, where it ends': [
    'K200 U403p U403p K400 U401',
    'K200 K400 U403p U403p U401',
  ],
  'an answer to the key is its own where it was not locked out': ['U401 K200 U403 U403 K200 K403'],
  'nothing that was rejected before is set aside': ['O403 U401 K200 U401 U403 K403'],
  'everything within a lockout is set aside, and nothing after it': [
    'U401 K200 U401 U403 O403 K403 K200 U401',
    'U401 K200 U401 U403 K403 K200 U401 O403',
  ],
  'requests without a key are set aside after those alone were locked out': ['U401 K200 U403 U403 U401 U403'],
  'what is banned on purpose is set aside only after everyone was locked out': [
    'U401 K200 U403 U403 K200 u403',
    'U401 K200 U401 U403 K403 k403',
    'U401 K200 k403 U401 U403 K403',
  ],
};

test('lockouts are found, and answers set aside, as they are known to be', () => {
  const shownBy = (text: string): string => {
    const exchanges = inTurn(text);
    const lockouts = lockoutsIn(exchanges);
    const shown = lockouts.map(
      (one) => `${one.affects} ${one.exchanges.map(({ n }) => n).join(' ')}${one.lasts ? '' : ', ended'}; `,
    );
    const aside = withoutLockouts(exchanges, lockouts).filter(isLockedOut);
    return `  ${text}: ${shown.join('') || 'nobody; '}set aside: ${aside.map(({ n }) => n).join(' ') || 'none'}\n`;
  };
  const page = Object.entries(sent).map(([what, all]) => `${what}\n${all.map(shownBy).join('')}\n`);
  assertPage('suites/service/model/lockout.txt', page.join(''));
});
