import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ProfileId } from '../../load/model/profile.ts';
import { findProfile } from '../../load/profiles/index.ts';
import type { LoadOrder } from '../../load/run/command.ts';
import type { Course } from '../../load/run/run.ts';
import type { Told } from '../../load/run/samples.ts';
import type { AlgorithmName, RunningServer, Seams } from '../../reference-server/index.ts';
import { startServer } from '../../reference-server/index.ts';
import type { Limits } from '../../spec/plans.ts';
import { k6Path } from '../../tools/testing/k6.ts';

/** A window of a second, and few enough requests to use it up. */
export const brief: Limits = { perMinute: 20, perDay: 1000, minuteSeconds: 1, daySeconds: 86_400 };

/** What is tried. */
export interface Trial {
  readonly profile: ProfileId;
  readonly limits?: Limits;
  readonly algorithm?: AlgorithmName;
  readonly fault?: Seams;
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
  const { profile, limits = brief, algorithm, fault } = trial;
  const folder = mkdtempSync(join(tmpdir(), 'petstore-load-'));
  const { minuteSeconds, daySeconds, perMinute, perDay } = limits;
  let counted = 0;
  const server = await startServer({
    plans: { minuteSeconds, daySeconds, plans: { free: { perMinute, perDay } } },
    ...(algorithm === undefined ? {} : { algorithm }),
    fault: {
      ...fault,
      wrapService(answer, around) {
        const inner = fault?.wrapService?.(answer, around) ?? answer;
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
  const order: LoadOrder = {
    baseUrl: server.baseUrl,
    profile: findProfile(profile),
    means: { limits, fleet: 2, minutes: 2 },
    keys: { key, other, sacrificial: server.keys.sacrificial[0] ?? '', fleet: [key, other] },
    headers: [],
    tag: 'test',
    folder,
    outputs: [],
  };
  return { order, folder, server, counted: () => counted };
}

/** A course of a run that nobody interrupts, unless a signal says otherwise. */
export const courseOf = (given: Partial<Course> = {}, observe?: (told: Told) => void): Course => ({
  k6: k6Path,
  env: process.env,
  signal: new AbortController().signal,
  sharesTerminal: false,
  ...(observe === undefined ? {} : { observe }),
  ...given,
});
