import type { TestContext } from 'node:test';
import { definedFields } from '../../kernel/basics/json.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import { keysByAlias } from '../../load/model/key-list.ts';
import type { ProfileId } from '../../load/profiles/index.ts';
import { findProfile } from '../../load/profiles/index.ts';
import type { LoadJob } from '../../load/run/k6-command.ts';
import type { K6Process, K6Result } from '../../load/run/k6-process.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import type { ScenarioRecord } from '../../load/run/samples.ts';
import { startServer } from '../../reference-server/http/server.ts';
import type { BanPolicy } from '../../reference-server/limiters/ban.ts';
import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { composed } from '../../reference-server/seams.ts';
import type { Limits } from '../../spec/plans.ts';
import { judgeLoad, readSamples, TESTED } from '../testing/load/runs.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import { k6Path } from '../testing/tools/k6.ts';

/** Limits with a window of one second, few enough to exhaust it. */
export const briefLimits: Limits = { perMinute: 20, perDay: 1000, minuteSeconds: 1, daySeconds: 86_400 };

const BRIEF: Readonly<Partial<Record<ProfileId, Limits>>> = {
  // The day must last longer than the requests that exhaust its quota.
  'day-quota': { ...briefLimits, perDay: 40, daySeconds: 3600 },
  // During a burst, a bucket must refill fewer requests than the burst sends beyond the limit.
  'over-limit': { ...briefLimits, minuteSeconds: 3 },
  // A pause of a busy machine that bunches requests is a small part of the window.
  under: { ...briefLimits, minuteSeconds: 3 },
  recovery: { ...briefLimits, minuteSeconds: 3 },
  // Enough responses to compare latencies.
  isolation: { ...briefLimits, perMinute: 60, minuteSeconds: 3 },
  offender: { ...briefLimits, perMinute: 60, minuteSeconds: 3 },
  plans: { ...briefLimits, perMinute: 60, minuteSeconds: 3 },
  soak: { ...briefLimits, perMinute: 60 },
  spike: { ...briefLimits, perMinute: 60 },
};

/** Limits with which a profile can find its faults within seconds. */
export const briefLimitsFor = (profile: ProfileId): Limits => BRIEF[profile] ?? briefLimits;

/** The profile to run, and the server to run it against. */
export interface Trial {
  readonly profile: ProfileId;
  readonly limits?: Limits;
  readonly algorithm?: AlgorithmName;
  readonly fault?: Seams;
  readonly ban?: BanPolicy;
  /** Keys of the fleet, two at most. */
  readonly fleet?: 1 | 2;
}

/** Starts a reference server on loopback, with a job for k6 to load it and a count of the requests that arrive; it is stopped when the test ends. */
export async function startTestbed(t: Pick<TestContext, 'after'>, trial: Trial) {
  const { profile, limits = briefLimits, algorithm, fault, ban, fleet = 2 } = trial;
  const folder = temporaryFolder(t);
  const { minuteSeconds, daySeconds, perMinute, perDay } = limits;
  let counted = 0;
  const server = await startServer({
    plans: { minuteSeconds, daySeconds, plans: { free: { perMinute, perDay } } },
    ...definedFields({ algorithm, ban }),
    seams: composed(fault ?? {}, {
      wrapService: (handle) => (request) => {
        counted += 1;
        return handle(request);
      },
    }),
  });
  t.after(() => server.close());
  const [key = '', other = ''] = server.keys.free;
  const keys = { key, other, disposable: server.keys.disposable[0] ?? '' };
  const job: LoadJob = {
    ...{
      baseUrl: server.baseUrl,
      profile: findProfile(profile),
      headers: [],
      tag: 'test',
      outputs: [],
      folder,
    },
    inputs: { limits, fleet, minutes: 2, exclusiveKeys: true },
    // A fleet consists of the key and the other key.
    keys: keysByAlias(keys, [key, other].slice(0, fleet)),
  };
  return { job, folder, server, counted: () => counted };
}

/** A process for k6 that is not interrupted, unless the overrides have a signal. */
export const k6ProcessOf = (
  overrides: Partial<K6Process> = {},
  observe?: (record: ScenarioRecord) => void,
): K6Process => ({
  k6: k6Path,
  env: process.env,
  signal: new AbortController().signal,
  sharesTerminal: false,
  ...definedFields({ observe }),
  ...overrides,
});

/** The judged record of a run. */
export const judgedRecord = (
  { baseUrl, profile, inputs, folder }: LoadJob,
  { ended, finishedAt }: K6Result,
): LoadRecord =>
  judgeLoad({
    ...TESTED,
    target: { baseUrl, plan: 'free' },
    profile,
    inputs,
    trace: readSamples(folder).trace,
    ended,
    startedAt: finishedAt,
    finishedAt,
  }).record;

/** Lends a testbed outside of a test, and stops it afterwards. */
export async function onTestbed<T>(
  trial: Trial,
  use: (testbed: Awaited<ReturnType<typeof startTestbed>>) => Promise<T>,
): Promise<T> {
  const after: (() => unknown)[] = [];
  try {
    return await use(await startTestbed({ after: (undo) => void after.push(undo as () => unknown) }, trial));
  } finally {
    for (const undo of after) await undo();
  }
}

/** Loads a server of its own once with k6, and judges the run. */
export const loadOnce = (trial: Trial): Promise<LoadRecord> =>
  onTestbed(trial, async ({ job }) => {
    const startedAt = new Date().toISOString();
    return { ...judgedRecord(job, await runK6(job, k6ProcessOf())), startedAt };
  });
