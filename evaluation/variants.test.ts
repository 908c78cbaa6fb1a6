import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { RunRecord } from '../kernel/findings/record.ts';
import { variants } from '../reference-server/catalogue/variants/index.ts';
import { testedElsewhere, topics } from '../reference-server/catalogue/variants/topics.ts';
import type { Variant } from '../reference-server/catalogue/variants/variant.ts';
import type { RequirementId } from '../spec/register.ts';
import type { JournalLine } from '../suites/service/model/journal.ts';
import { sampleOf } from '../tools/sample.ts';
import { overHttpTo, plansOf } from './over-http.ts';
import type { VirtualRun } from './simulation/virtual-run.ts';
import { runAgainst, virtualRun } from './simulation/virtual-run.ts';
import { onBusyMachine, whyTooSlowOnly } from './testing/tools/busy-machine.ts';
import { idsWith, reasonsOf } from './testing/verdicts.ts';

/** A minute that passes while one waits, in seconds; as many requests as in a real one. */
const SHORT_MINUTE = 5;

const unlessBusy = onBusyMachine();

const sorted = (ids: Iterable<string>): readonly string[] => [...ids].sort();

/** No requirement fails, and every other verdict is the one that the variant states. */
function assertDeserved(expected: Variant, record: RunRecord): void {
  const why = reasonsOf(record, 'fail', 'warn', 'inconclusive').join('\n');
  assert.deepEqual(idsWith(record, 'fail'), [], why);
  assert.deepEqual(sorted(idsWith(record, 'warn')), sorted(expected.warnings), why);
  assert.deepEqual(sorted(idsWith(record, 'inconclusive')), sorted(expected.inconclusive), why);
  const advised = record.observations.filter(({ warning }) => warning !== undefined);
  assert.deepEqual(advised, []);
  assert.equal(record.outcome, expected.outcome === 'incomplete' ? 'incomplete' : 'conforms');
}

const digestOf = (lines: readonly JournalLine[]): string =>
  createHash('sha256').update(JSON.stringify(lines)).digest('hex');

const inVirtualTime = (variant: Variant, more: VirtualRun = {}) =>
  virtualRun({ ...runAgainst(variant), ...more });

/** The journal of the first run of each variant, as its digest. */
const journals = new Map<string, string>();

for (const variant of variants.filter(({ testedWith }) => testedWith !== 'sockets')) {
  test(`${variant.topic} ${variant.id} ${variant.outcome}, and no requirement fails`, async () => {
    const { record, lines } = await inVirtualTime(variant);
    journals.set(variant.id, digestOf(lines));
    assertDeserved(variant, record);
  });
}

const OF_CREDENTIALS: readonly RequirementId[] = ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5', 'AUTH-6'];

/** The second window sends similar keys: where they lock out the run, it leaves more requirements of credentials open. */
function lockedOutSooner(variant: Variant, record: RunRecord): Variant {
  if (variant.topic !== 'K87' || variant.outcome !== 'incomplete') return variant;
  const open = idsWith(record, 'inconclusive');
  const more = OF_CREDENTIALS.filter((id) => open.includes(id));
  return { ...variant, inconclusive: [...new Set([...variant.inconclusive, ...more])] };
}

test('every variant has the same verdicts in a run of three windows', async () => {
  // Three windows and a small day do not fit into one run. The second window opens a connection for each request, so
  // that a firewall which counts them leaves more open.
  const inTime = variants.filter(
    ({ id, testedWith }) =>
      testedWith !== 'sockets' && testedWith !== 'a used day' && !id.startsWith('new-connections-'),
  );
  for (const variant of sampleOf(inTime)) {
    const { record } = await inVirtualTime(variant, { thorough: true });
    assertDeserved(lockedOutSooner(variant, record), record);
  }
});

describe('over sockets, with a short minute', { concurrency: 12 }, () => {
  for (const variant of variants.filter(({ testedWith }) => testedWith === 'sockets')) {
    test(`${variant.topic} ${variant.id} ${variant.outcome}, and no requirement fails`, async (t) => {
      await unlessBusy(t, async (again) => {
        const plans = plansOf(again ? 4 * SHORT_MINUTE : SHORT_MINUTE);
        const { record } = await overHttpTo({ plans, seams: variant });
        const reason = whyTooSlowOnly(record);
        if (reason === undefined) assertDeserved(variant, record);
        return reason;
      });
    });
  }
});

describe('the catalogue of variants', () => {
  test('accounts for every row of the table, here or elsewhere', () => {
    const wanted = Array.from({ length: 90 }, (_, n) => `K${String(n + 1).padStart(2, '0')}`);
    assert.deepEqual(Object.keys(topics), wanted);
    for (const number of wanted) {
      const shown = variants.some(({ topic }) => topic === number);
      assert.notEqual(shown, Object.hasOwn(testedElsewhere, number), number);
    }
  });

  test('has ids of its own, sentences, and reasons where nothing can be said', () => {
    assert.equal(new Set(variants.map(({ id }) => id)).size, variants.length);
    for (const { id, description, seenIn, outcome, warnings, inconclusive, because } of variants) {
      assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.match(description, /^[A-Z].+\.$/);
      assert.ok(seenIn.length > 10, id);
      const warned = inconclusive.length === 0 && warnings.length > 0;
      assert.equal(outcome === 'conforms with warnings', warned, id);
      assert.equal(because === undefined, inconclusive.length === 0, id);
    }
  });
});

test('every variant differs from the service without it, and two services share nothing', async () => {
  const plain = new Map<string, string>();
  // A rolling day differs from one that begins with the first request only when that request expires, a day later.
  const inTime = variants.filter(({ id, testedWith }) => testedWith !== 'sockets' && id !== 'rolling-day');
  // What concerns two keys shows only where both are used.
  const digest = async (variant: Variant, more: VirtualRun = {}): Promise<string> =>
    digestOf((await inVirtualTime(variant, { ...more, withoutOtherKey: false })).lines);
  for (const variant of sampleOf(inTime)) {
    const before = variant.testedWith === 'no second key' ? undefined : journals.get(variant.id);
    const first = before ?? (await digest(variant));
    const kind = `${variant.algorithm} ${variant.testedWith} ${variant.namePattern}`;
    const without = plain.get(kind) ?? (await digest(variant, { fault: {} }));
    plain.set(kind, without);
    assert.notEqual(first, without, `${variant.id} changes nothing`);
    assert.equal(first, await digest(variant), `${variant.id} remembers another run`);
  }
});
