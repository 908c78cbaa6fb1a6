import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunRecord } from '../../suites/index.ts';
import { overHttp } from '../over-http.ts';
import type { ThirdParty } from './index.ts';
import { thirdParties } from './index.ts';

const WINDOW_SECONDS = 4;
const PER_MINUTE = 60;
const KEYS = ['witness-key-one-0001', 'witness-key-two-0002'] as const;
const PLANS = {
  minuteSeconds: WINDOW_SECONDS,
  daySeconds: 86_400,
  plans: { free: { perMinute: PER_MINUTE, perDay: 1000 } },
};

const having = ({ requirements }: RunRecord, verdict: string): readonly string[] =>
  requirements.filter((one) => one.verdict === verdict).map(({ id }) => id);

const reasons = ({ requirements }: RunRecord): string =>
  requirements
    .filter(({ verdict }) => ['fail', 'warn', 'inconclusive'].includes(verdict))
    .map(({ id, verdict, because }) => `${id} ${verdict}: ${because}`)
    .join('\n');

/** The warnings without those that may or may not show. */
const settled = (ids: readonly string[], { sometimes }: ThirdParty): readonly string[] =>
  ids.filter((id) => !sometimes.some((one) => one === id));

describe('software that is not ours gets the verdict it deserves, over real HTTP', { concurrency: 4 }, () => {
  for (const thirdParty of thirdParties) {
    const { framework, library, configuration, start, missing, outcome, violates, warned, open } = thirdParty;
    test(`${framework} with ${library}, ${configuration}: ${outcome}`, async (t) => {
      const absent = await missing?.();
      if (absent !== undefined) return t.skip(absent);
      const app = await start({ keys: KEYS, perMinute: PER_MINUTE, windowSeconds: WINDOW_SECONDS });
      t.after(() => app.close());
      const [key, other] = KEYS;
      const { lines, record } = await overHttp({ baseUrl: app.baseUrl, plans: PLANS, keys: { key, other } });

      const found = {
        violates: having(record, 'fail'),
        warned: settled(having(record, 'warn'), thirdParty),
        open: having(record, 'inconclusive'),
      };
      assert.deepEqual(found, { violates, warned, open }, reasons(record));
      assert.equal(record.outcome, outcome);
      const waits = lines.flatMap((line) => (line.kind === 'wait' ? [line.because] : []));
      const limitedExchanges = waits.filter((because) => because.includes('the target answered 429'));
      const rounded = having(record, 'warn').includes('RETRY-4') ? 1 : 0;
      assert.equal(
        limitedExchanges.length,
        1 + rounded,
        'one refusal, and one more only where the wait was too short',
      );
      const isolated = record.requirements.find(({ id }) => id === 'LIMIT-7');
      assert.equal(isolated?.verdict, 'pass', isolated?.because);
    });
  }
});

test('at least six limiters of npm and one of Python are witnesses, each as it comes and so that it conforms', () => {
  const libraries = new Set(thirdParties.map(({ library }) => library));
  assert.ok(libraries.size >= 7);
  for (const one of libraries) {
    const verdicts = thirdParties.filter(({ library }) => library === one).map(({ outcome }) => outcome);
    assert.ok(verdicts.length >= 2 && verdicts.includes('conforms'), one);
  }
});
