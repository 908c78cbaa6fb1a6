import type { Plans } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { Loss, Network } from '../simulation/service-wire.ts';
import { VIRTUAL_START } from '../simulation/virtual-clock.ts';

/**
 * `calm`: nothing gets lost, over links of every length. `lossy`: the network
 * loses requests and answers, and queues them for seconds. `shared`: that, and
 * somebody else uses the examined key meanwhile.
 */
export type NetworkConditions = 'calm' | 'lossy' | 'shared';

/** All that a run draws by lot besides the service it examines. */
export interface Circumstances {
  readonly plans: Plans;
  /** Milliseconds since the Unix epoch. */
  readonly start: number;
  /** How far the service's clock is ahead, in milliseconds. */
  readonly clockOffset: number;
  readonly network: Network;
  /** When somebody else sends a request with the examined key, in milliseconds since the beginning, ascending. */
  readonly foreign: readonly number[];
  /** The same for a person, on one line. */
  readonly told: string;
}

type Random = () => number;

/** The longest and the shortest round trip, in milliseconds, over which every limiter can be used up in its window. */
const LINKS = [
  ['one machine', 0.4, 4],
  ['one continent', 20, 60],
  ['half the world', 120, 300],
] as const;
const SLOW_LINK = ['a link with long queues', 5, 2500] as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const CLOCKS_OFF_MS = [0, 0, 0, -700, 400, 2300, -7 * HOUR_MS, 5 * HOUR_MS] as const;

/** Consecutive multiples of it modulo 1 fill the interval evenly, however many are taken. */
const GOLDEN = 0.618_033_988_749_895;

/**
 * Draws what surrounds the run with this number: runs one after another begin
 * at evenly spread phases of the minute, so that no phase is left out.
 */
export function circumstances(
  conditions: NetworkConditions,
  run: number,
  plans: Plans,
  random: Random,
): Circumstances {
  const phase = Math.floor(((run * GOLDEN) % 1) * MINUTE_MS);
  const clockOffset = pick(CLOCKS_OFF_MS, random);
  const rough = conditions !== 'calm';
  const link = rough && random() < 0.25 ? SLOW_LINK : pick(LINKS, random);
  const lossRate = rough && random() < 0.7 ? 0.002 + random() * 0.04 : 0;
  const perMinute = plans.plans['free']?.perMinute ?? 1;
  const others = conditions === 'shared' ? pick(MANNERS, random) : alone;
  const told =
    `${perMinute} in ${plans.minuteSeconds} s, ${phase} ms into the minute, over ${link[0]}, ` +
    `the clock ${clockOffset} ms ahead, ${(100 * lossRate).toFixed(1)} % lost, ${others.says}`;
  return {
    plans,
    start: VIRTUAL_START + phase,
    clockOffset,
    network: { ...trips(link[1], link[2], random), loss: losses(lossRate, random) },
    foreign: others.moments(perMinute, plans.minuteSeconds * 1000, random),
    told,
  };
}

/** The plan of the specification, or a small one of which a whole examination is cheap and crosses several windows. */
export function somePlans(random: Random): Plans {
  const real = loadPlans();
  const lot = random();
  if (lot < 0.15) return real;
  const perMinute = 5 + Math.floor(random() * 16);
  const plan = (times: number) => ({ perMinute: times * perMinute, perDay: times * 1000 });
  const minuteSeconds = lot < 0.9 ? real.minuteSeconds : 2 + Math.floor(random() * 10);
  return {
    ...real,
    minuteSeconds,
    plans: { free: plan(1), pro: plan(5), business: plan(16), enterprise: null },
  };
}

const pick = <T>(values: readonly T[], random: Random): T => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError('There is nothing to pick from.');
  return value;
};

function trips(least: number, most: number, random: Random): Network {
  const leg = () => (least + random() * (most - least)) / 2;
  return { there: leg, back: leg };
}

const LOSSES: readonly Loss[] = [
  { what: 'request', shows: 'reset' },
  { what: 'request', shows: 'timeout' },
  { what: 'answer', shows: 'reset' },
  { what: 'answer', shows: 'timeout' },
];

const losses = (rate: number, random: Random) => (): Loss | undefined =>
  rate > 0 && random() < rate ? pick(LOSSES, random) : undefined;

/** How somebody else uses the same key meanwhile. */
interface Manner {
  readonly says: string;
  readonly moments: (perMinute: number, windowMs: number, random: Random) => readonly number[];
}

/** As long as an examination may last, in windows. */
const WINDOWS = 8;

const steadily = (times: (perMinute: number, windowMs: number) => number): Manner['moments'] => {
  return (perMinute, windowMs, random) => {
    const every = times(perMinute, windowMs);
    const found: number[] = [];
    for (let at = random() * every; at < WINDOWS * windowMs; at += 2 * random() * every) found.push(at);
    return found;
  };
};

const inBursts = (share: number): Manner['moments'] => {
  return (perMinute, windowMs, random) => {
    const bursts = Array.from({ length: WINDOWS }, (_, i) => (i + random()) * windowMs);
    const size = Math.max(1, Math.ceil(share * perMinute));
    return bursts.flatMap((at) => Array.from({ length: size }, (_, i) => at + i * 0.1));
  };
};

const alone: Manner = { says: 'alone', moments: () => [] };

const MANNERS: readonly Manner[] = [
  { says: 'somebody else now and then', moments: steadily((_, windowMs) => windowMs / 3) },
  { says: 'somebody else at a tenth of the limit', moments: steadily((l, w) => (10 * w) / l) },
  { says: 'somebody else as fast as the limit allows', moments: steadily((l, w) => w / l) },
  { says: 'somebody else in small bursts', moments: inBursts(0.1) },
  { says: 'somebody else who uses the limit up', moments: inBursts(1.1) },
  { says: 'somebody else who keeps sending', moments: steadily((l, w) => w / l / 3) },
];
