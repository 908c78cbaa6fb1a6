import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { judgeLoad } from '../../load/judging/judge.ts';
import type { ProfileId } from '../../load/model/profile.ts';
import type { LoadRecord } from '../../load/model/record.ts';
import { findProfile } from '../../load/profiles/index.ts';
import type { LoadOrder } from '../../load/run/command.ts';
import type { Course, LoadOutcome } from '../../load/run/run.ts';
import type { Told } from '../../load/run/samples.ts';
import type { AlgorithmName, BanPolicy, RunningServer, Seams } from '../../reference-server/index.ts';
import { startServer } from '../../reference-server/index.ts';
import type { Limits } from '../../spec/plans.ts';
import { k6Path } from '../testing/tools/k6.ts';

/** A window of a second, and few enough requests to use it up. */
export const brief: Limits = { perMinute: 20, perDay: 1000, minuteSeconds: 1, daySeconds: 86_400 };

const BRIEF: Readonly<Partial<Record<ProfileId, Limits>>> = {
  // The day must outlast the requests that use it up.
  'day-quota': { ...brief, perDay: 40, daySeconds: 3600 },
  // What a bucket gives back in the time of a burst must be less than the burst exceeds the limit by.
  'over-limit': { ...brief, minuteSeconds: 3 },
  recovery: { ...brief, minuteSeconds: 3 },
};

/** Limits in which a profile shows what it is there for, and that end soon. */
export const briefFor = (profile: ProfileId): Limits => BRIEF[profile] ?? brief;

/** What is tried. */
export interface Trial {
  readonly profile: ProfileId;
  readonly limits?: Limits;
  readonly algorithm?: AlgorithmName;
  readonly fault?: Seams;
  readonly ban?: BanPolicy;
  /** Keys of a fleet, two at most. */
  readonly fleet?: 1 | 2;
}

/** A reference server over loopback, an order for k6 to load it, and what it counts. */
export interface Stage {
  readonly order: LoadOrder;
  readonly folder: string;
  readonly server: RunningServer;
  /** Requests that arrived. */
  counted(): number;
}

/** Sets a stage; it is taken down when the test ends, or whatever takes its place. */
export async function stage(t: Pick<TestContext, 'after'>, trial: Trial): Promise<Stage> {
  const { profile, limits = brief, algorithm, fault, ban, fleet = 2 } = trial;
  const folder = mkdtempSync(join(tmpdir(), 'petstore-load-'));
  const { minuteSeconds, daySeconds, perMinute, perDay } = limits;
  let counted = 0;
  const server = await startServer({
    plans: { minuteSeconds, daySeconds, plans: { free: { perMinute, perDay } } },
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(ban === undefined ? {} : { ban }),
    seams: {
      ...fault,
      wrapService(handle, context) {
        const inner = fault?.wrapService?.(handle, context) ?? handle;
        return (request) => {
          counted += 1;
          return inner(request);
        };
      },
    },
  });
  t.after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const [key = '', other = ''] = server.keys.free;
  const keys = { key, other, disposable: server.keys.disposable[0] ?? '' };
  const order = orderTo(server.baseUrl, { profile, limits, fleet, keys, folder });
  return { order, folder, server, counted: () => counted };
}

/** What is ordered of k6, and where it writes. */
interface Ordered {
  readonly profile: ProfileId;
  readonly limits: Limits;
  readonly fleet: 1 | 2;
  readonly keys: Readonly<Record<'key' | 'other' | 'disposable', string>>;
  readonly folder: string;
}

/** An order to load this address; a fleet is of the key and the other one. */
export const orderTo = (baseUrl: string, { profile, limits, fleet, keys, folder }: Ordered): LoadOrder => ({
  baseUrl,
  profile: findProfile(profile),
  inputs: { limits, fleet, minutes: 2 },
  keys: { ...keys, fleet: [keys.key, keys.other].slice(0, fleet) },
  headers: [],
  tag: 'test',
  folder,
  outputs: [],
});

/** A course of a run that nobody interrupts, unless a signal says otherwise. */
export const courseOf = (given: Partial<Course> = {}, observe?: (told: Told) => void): Course => ({
  k6: k6Path,
  env: process.env,
  signal: new AbortController().signal,
  sharesTerminal: false,
  ...(observe === undefined ? {} : { observe }),
  ...given,
});

/** What the judge of load says of a run. */
export const judged = (
  { baseUrl, profile, inputs }: LoadOrder,
  { trace, ended, startedAt, finishedAt }: LoadOutcome,
): LoadRecord =>
  judgeLoad({
    suite: { name: 'petstore-conformance', version: '0' },
    target: { baseUrl, plan: 'free' },
    profile,
    inputs,
    trace,
    ended,
    startedAt,
    finishedAt,
    environment: { k6: '2', node: '20', platform: 'any', cpus: 1 },
  });
