import type { Random } from '../suites/limiters.ts';
import { pick, seededBy } from '../suites/limiters.ts';
import type { StagedRun, StagedSample } from './runs.ts';

/** What may be different in one request. */
const CHANGES: readonly Change[] = [
  () => ({ status: 429, left: 0 }),
  () => ({ status: 200 }),
  (_, random) => ({ status: pick([201, 400, 401, 403, 404, 500, 503], random) }),
  // Two of three times the quota is exhausted.
  (_, random) => ({ left: pick([0, 1, 0], random) }),
  ({ left }, random) => ({ left: Math.max(0, (left ?? 5) + pick([-2, -1, 1, 2], random)) }),
  ({ resets = 60_000 }, random) => ({ resets: resets + pick([-60_000, -1000, 1000, 60_000], random) }),
  (_, random) => ({ wait: pick(['0', '1', '5', '58', '60', '3600', 'soon'], random) }),
  ({ at }, random) => ({ at: at + pick([-5000, -500, -1, 1, 20, 250, 500, 60_000], random) }),
  (_, random) => ({ took: pick([0, 100, 260, 300, 900, 5000], random) }),
  () => ({ silent: true }),
  () => ({ malformed: 'malformed HTTP response' }),
  () => ({ operation: 'create' }),
];
type Change = (sample: StagedSample, random: Random) => Partial<StagedSample>;

type Variation = (run: StagedRun, random: Random) => StagedRun;

const placeIn = ({ samples }: StagedRun, random: Random): number => Math.floor(random() * samples.length);

/** The same change of some samples. */
const changing =
  (placesIn: (run: StagedRun, random: Random) => (at: number) => boolean): Variation =>
  (run, random) => {
    const isMeant = placesIn(run, random);
    const change = pick(CHANGES, random);
    return {
      ...run,
      samples: run.samples.map((one, i) => (isMeant(i) ? { ...one, ...change(one, random) } : one)),
    };
  };

const changeOne = changing((run, random) => {
  const place = placeIn(run, random);
  return (at) => at === place;
});
const changeFrom = changing((run, random) => {
  const place = placeIn(run, random);
  return (at) => at >= place;
});
const changeSome = changing((_, random) => {
  const share = random();
  return () => random() < share;
});

/** What may be different in a run: from one request on, in one request, or in all of it. */
const VARIATIONS: readonly Variation[] = [
  ...([changeOne, changeOne, changeOne, changeFrom, changeFrom, changeSome] as const),
  (run, random) => ({ ...run, samples: run.samples.filter((_, i) => i !== placeIn(run, random)) }),
  (run, random) => ({ ...run, samples: run.samples.slice(0, placeIn(run, random) + 1) }),
  (run) => ({ ...run, exclusive: run.exclusive !== true }),
];

/** The same run with one or two things changed, which the name decides. */
export function variedRun(run: StagedRun, name: string): StagedRun {
  const random = seededBy(name);
  const once = pick(VARIATIONS, random)(run, random);
  return random() < 0.5 ? once : pick(VARIATIONS, random)(once, random);
}
