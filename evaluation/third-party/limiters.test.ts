import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { overHttp, plansOf } from '../over-http.ts';
import { idsWith, reasonsOf } from '../testing/verdicts.ts';
import type { ThirdParty } from './limiters.ts';
import { thirdParties } from './limiters.ts';

const WINDOW_SECONDS = 4;
const PER_MINUTE = 60;
const KEYS = ['third-party-key-one-0001', 'third-party-key-two-0002'] as const;

/** What a violation leaves undecided besides depends on how many requests a busy machine sends in so short a window. */
const undecided = (ids: readonly string[], { outcome }: ThirdParty): readonly string[] =>
  outcome === 'violates' ? [] : ids;

/** The warnings, without those that show in some runs only. */
const inEveryRun = (ids: readonly string[], { sometimesWarns }: ThirdParty): readonly string[] =>
  ids.filter((id) => !sometimesWarns.some((one) => one === id));

describe('third-party implementations receive the expected verdicts over HTTP', { concurrency: 4 }, () => {
  for (const thirdParty of thirdParties) {
    const { framework, library, configuration, start, whyUnavailable, outcome, fails, warns, inconclusive } =
      thirdParty;
    test(`${framework} with ${library}, ${configuration}: ${outcome}`, async (t) => {
      const unavailable = await whyUnavailable?.();
      if (unavailable !== undefined) return t.skip(unavailable);
      const app = await start({ keys: KEYS, perMinute: PER_MINUTE, windowSeconds: WINDOW_SECONDS });
      t.after(() => app.close());
      const [key, other] = KEYS;
      const { lines, record } = await overHttp({
        baseUrl: app.baseUrl,
        plans: plansOf(WINDOW_SECONDS),
        keys: { key, other },
      });

      const found = {
        fails: idsWith(record, 'fail'),
        warns: inEveryRun(idsWith(record, 'warn'), thirdParty),
        inconclusive: undecided(idsWith(record, 'inconclusive'), thirdParty),
      };
      const expected = { fails, warns, inconclusive: undecided(inconclusive, thirdParty) };
      assert.deepEqual(found, expected, reasonsOf(record, 'fail', 'warn', 'inconclusive').join('\n'));
      assert.equal(record.outcome, outcome);
      const waits = lines.flatMap((line) => (line.kind === 'wait' ? [line.because] : []));
      const waitsAfter429 = waits.filter((because) => because.includes('the target answered 429'));
      const tooShort = idsWith(record, 'warn').includes('RETRY-4') ? 1 : 0;
      assert.equal(
        waitsAfter429.length,
        1 + tooShort,
        'one 429, and another only if Retry-After was too short',
      );
      const isolated = record.requirements.find(({ id }) => id === 'LIMIT-7');
      assert.equal(isolated?.verdict, 'pass', isolated?.because);
    });
  }
});

test('at least six npm packages and one Python package, each with its defaults and so that it conforms', () => {
  const libraries = new Set(thirdParties.map(({ library }) => library));
  assert.ok(libraries.size >= 7);
  for (const one of libraries) {
    const verdicts = thirdParties.filter(({ library }) => library === one).map(({ outcome }) => outcome);
    assert.ok(verdicts.length >= 2 && verdicts.includes('conforms'), one);
  }
});
