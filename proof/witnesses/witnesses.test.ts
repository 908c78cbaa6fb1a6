import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunRecord } from '../../suites/index.ts';
import { repeatedAuthorization } from '../../suites/probes/open-questions.ts';
import { overHttp } from '../over-http.ts';
import { witnesses } from './index.ts';

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

describe('software that is not ours gets the verdict it deserves, over real HTTP', { concurrency: 2 }, () => {
  for (const { name, start, outcome, violates, warned, open } of witnesses) {
    test(`${name}: ${outcome}`, async (t) => {
      const app = await start({ keys: KEYS, perMinute: PER_MINUTE, windowSeconds: WINDOW_SECONDS });
      t.after(() => app.close());
      const [key, other] = KEYS;
      const { lines, record } = await overHttp({ baseUrl: app.baseUrl, plans: PLANS, keys: { key, other } });

      const found = {
        violates: having(record, 'fail'),
        warned: having(record, 'warn'),
        open: having(record, 'inconclusive'),
      };
      assert.deepEqual(found, { violates, warned, open }, reasons(record));
      assert.equal(record.outcome, outcome);
      const drawing = lines.filter(
        (line) =>
          line.kind === 'exchange' &&
          (line.caller === 'key' || line.caller === 'odd') &&
          // Asked last, and answered 200 by whoever takes the first of two headers.
          line.probe !== repeatedAuthorization.id,
      );
      assert.equal(drawing.length, PER_MINUTE + 2, 'one window, one request beyond it, and one after');
      const isolated = record.requirements.find(({ id }) => id === 'LIMIT-7');
      assert.equal(isolated?.verdict, 'pass', isolated?.because);
    });
  }
});
