import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findProfile } from '../../load/profiles/index.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import { virtualLoad } from './virtual-load.ts';

// Two runs with the same keys, the second right after the first.

const after = (first: string) => ({ profile: findProfile(first), gapMs: 0 });

describe('a profile whose keys another run has just used', () => {
  for (const profile of [
    ...['under', 'at-limit', 'over-limit', 'recovery', 'backoff', 'isolation'],
    ...['soak', 'spike', 'breakpoint', 'capacity'],
  ]) {
    test(`${profile} waits for its quota, and then passes`, async () => {
      for (const algorithm of algorithms) {
        const fleet = ['soak', 'spike', 'breakpoint', 'capacity'].includes(profile) ? 'spike' : 'over-limit';
        const { record } = await virtualLoad({ profile, algorithm, earlier: after(fleet) });
        const open = record.requirements.filter(({ verdict }) => verdict !== 'pass');
        assert.deepEqual(open, [], algorithm);
      }
    });
  }

  test('a 429 of a key that does not wait is explained by its earlier use, and by nothing else', async () => {
    for (const algorithm of algorithms) {
      const { record } = await virtualLoad({ profile: 'offender', algorithm, earlier: after('over-limit') });
      const open = record.requirements.filter(({ verdict }) => verdict !== 'pass');
      for (const { id, verdict, because } of open) {
        assert.deepEqual([id, verdict], ['NEIGHBOUR', 'inconclusive'], because);
        assert.match(because, /in use when the run began.*two windows after the last use/);
      }
    }
  });
});
