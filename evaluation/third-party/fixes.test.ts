import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { CAUSES } from '../../suites/service/judge/causes/causes.ts';
import { asFix } from '../../suites/service/judge/causes/rule.ts';
import { sampleOf } from '../../tools/sample.ts';
import type { HttpRun } from '../over-http.ts';
import { overHttp, plansOf } from '../over-http.ts';
import { onBusyMachine, whyTooSlow } from '../testing/tools/busy-machine.ts';
import { idsWith } from '../testing/verdicts.ts';
import type { AppSettings, RunningApp } from './apps/app.ts';
import type { Pair } from './fixes.ts';
import { conformingApps, pairs } from './fixes.ts';

const KEYS = ['fixes-key-one-0001', 'fixes-key-two-0002'] as const;
const SETTINGS: AppSettings = { keys: KEYS, perMinute: 60, windowSeconds: 4 };
/** A window in which a busy machine reaches the limit as well. */
const LONGER: AppSettings = { ...SETTINGS, windowSeconds: 20 };

/** What a quick run leaves out. */
const NOT_QUICK: ReadonlySet<string> = new Set(['LIST-2', 'RATE-4', 'RETRY-1', 'RETRY-2', 'MEDIA-2']);

/** A run of what needs no 429, for everything that follows from a fault; or of what needs one alone, where RETRY-1 states why there was none. */
function selectionOf({ cause, fails }: Pair): Pick<HttpRun, 'only' | 'quick'> {
  if (fails.some((id) => NOT_QUICK.has(id))) return { only: [...new Set([...fails, 'RETRY-1'])] };
  return cause === 'unchecked-paths' ? { only: fails } : { quick: true };
}

const unlessBusy = onBusyMachine();

async function judged(
  app: RunningApp,
  { windowSeconds }: AppSettings,
  selection: Pick<HttpRun, 'only' | 'quick'> = {},
): Promise<RunRecord> {
  const [key, other] = KEYS;
  try {
    const keys = selection.quick === true ? { key } : { key, other };
    const run = {
      baseUrl: app.baseUrl,
      plans: plansOf(windowSeconds),
      keys,
      exclusiveKey: true,
      ...selection,
    };
    return (await overHttp(run)).record;
  } finally {
    await app.close();
  }
}

const adverse = (record: RunRecord): readonly string[] => idsWith(record, 'fail', 'warn');

/** The fix that the record has for a requirement, and whether it calls it proven. */
function fixIn({ causes, requirements }: RunRecord, id: string) {
  const cause = causes.find((one) => one.requirements.some((member) => member === id));
  const finding = requirements.find((one) => one.id === id);
  return cause ?? (finding !== undefined && 'fix' in finding ? finding : undefined);
}

function assertFixed(record: RunRecord, { cause, proves, fails }: Pair): void {
  const { text } = asFix(CAUSES[cause][proves] ?? 'There is none.');
  const fixed = adverse(record).filter((id) => {
    const { fix, fixProven } = fixIn(record, id) ?? {};
    return fixProven === true && fix?.includes(text) === true;
  });
  const found = adverse(record).map((id) => `${id}: ${fixIn(record, id)?.fix}`);
  assert.deepEqual([...fixed].sort(), [...fails].sort(), found.join('\n'));
}

/** All pairs of a report text: `Express: scheme-not-required`. */
const nameOf = ({ app, cause, proves }: Pair): string => `${app}: ${cause} (${proves})`;

describe('a fix that is followed literally fixes', { concurrency: 12 }, () => {
  for (const [name, { start, isAvailable }] of sampleOf(Object.entries(conformingApps))) {
    test(`${name}: the app with every fix violates nothing`, async (t) => {
      if (!isAvailable()) return t.skip(`${name} is not installed`);
      assert.deepEqual(adverse(await judged(await start(SETTINGS), SETTINGS)), []);
    });
  }
  for (const pair of sampleOf(pairs)) {
    test(`${nameOf(pair)}: the app with the fault fails, and gets the fix of the other one`, async (t) => {
      if (conformingApps[pair.app]?.isAvailable() !== true) return t.skip(`${pair.app} is not installed`);
      await unlessBusy(t, async (again) => {
        const settings = again ? LONGER : SETTINGS;
        const record = await judged(await pair.start(settings), settings, selectionOf(pair));
        const reason = whyTooSlow(record);
        if (reason === undefined) assertFixed(record, pair);
        return reason;
      });
    });
  }
});

test('exactly the fixes that have a pair are called proven', () => {
  const shown = new Set(pairs.map(({ cause, proves }) => `${cause} ${proves}`));
  const called = Object.entries(CAUSES).flatMap(
    ([cause, { violates: _, where: _where, shows: _shows, ...fixes }]) =>
      Object.entries(fixes).flatMap(([framework, fix]) =>
        asFix(fix).proven ? [`${cause} ${framework}`] : [],
      ),
  );
  assert.deepEqual(called.sort(), [...shown].sort());
});
