import { definedFields } from '../../kernel/basics/json.ts';
import { variants } from '../../reference-server/catalogue/variants/index.ts';
import type { Variant } from '../../reference-server/catalogue/variants/variant.ts';
import { composed } from '../../reference-server/seams.ts';
import type { Plans } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';
import { VIRTUAL_START } from '../simulation/service-time.ts';
import type { Loss, Network } from '../simulation/service-wire.ts';
import type { runAgainst } from '../simulation/virtual-run.ts';
import type { Random } from '../testing/suites/limiters.ts';
import { pick } from '../testing/suites/limiters.ts';

/**
 * `calm`: nothing gets lost, over links of every length. `lossy`: the network
 * loses requests and responses, and delays them for seconds. `shared`: the same
 * as `lossy`, and another client uses the tested key during the run.
 */
export type NetworkConditions = 'calm' | 'lossy' | 'shared';

/** Name, shortest and longest round trip in milliseconds; over each link a run can exhaust every limiter within its window. */
const LINKS = [
  ['one machine', 0.4, 4],
  ['one continent', 20, 60],
  ['half the world', 120, 300],
] as const;
const SLOW_LINK = ['a link with long queues', 5, 2500] as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const CLOCKS_OFF_MS = [0, 0, 0, -700, 400, 2300, -7 * HOUR_MS, 5 * HOUR_MS] as const;

/** Consecutive multiples of this number, modulo 1, spread evenly over the interval, however many are taken. */
const GOLDEN = 0.618_033_988_749_895;

/**
 * Draws everything that is random in the run with this number, except the service that it tests, and describes it in one
 * line. The start times of consecutive runs are spread evenly over the minute, so that every phase of a window is covered.
 */
export function drawCircumstances(conditions: NetworkConditions, run: number, plans: Plans, random: Random) {
  const phase = Math.floor(((run * GOLDEN) % 1) * MINUTE_MS);
  const clockOffset = pick(CLOCKS_OFF_MS, random);
  const lossy = conditions !== 'calm';
  const link = lossy && random() < 0.25 ? SLOW_LINK : pick(LINKS, random);
  const lossRate = lossy && random() < 0.7 ? 0.002 + random() * 0.04 : 0;
  const perMinute = plans.plans['free']?.perMinute ?? 1;
  const otherClient = conditions === 'shared' ? pick(OTHER_CLIENTS, random) : NO_OTHER_CLIENT;
  const description =
    `${perMinute} in ${plans.minuteSeconds} s, ${phase} ms into the minute, over ${link[0]}, ` +
    `the clock ${clockOffset} ms ahead, ${(100 * lossRate).toFixed(1)} % lost, ${otherClient.description}`;
  return {
    plans,
    start: VIRTUAL_START + phase,
    clockOffset,
    network: { ...trips(link[1], link[2], random), loss: losses(lossRate, random) },
    otherClientTimes: otherClient.times(perMinute, plans.minuteSeconds * 1000, random),
    description,
  };
}

/**
 * Draws the plans of a run: those of the specification, or smaller ones. With a
 * small plan a full run is cheap and crosses several windows.
 */
export function drawPlans(random: Random): Plans {
  const real = loadPlans();
  const chance = random();
  if (chance < 0.15) return real;
  const perMinute = 5 + Math.floor(random() * 16);
  const plan = (times: number) => ({ perMinute: times * perMinute, perDay: times * 1000 });
  const minuteSeconds = chance < 0.9 ? real.minuteSeconds : 2 + Math.floor(random() * 10);
  return {
    ...real,
    minuteSeconds,
    plans: { free: plan(1), pro: plan(5), business: plan(16), enterprise: null },
  };
}

/** Delays each way, whose sum is a round trip from the shortest to the longest. */
export function trips(shortest: number, longest: number, random: Random): Network {
  const oneWay = () => (shortest + random() * (longest - shortest)) / 2;
  return { there: oneWay, back: oneWay };
}

const LOSSES: readonly Loss[] = [
  { lost: 'request', seenAs: 'reset' },
  { lost: 'request', seenAs: 'timeout' },
  { lost: 'response', seenAs: 'reset' },
  { lost: 'response', seenAs: 'timeout' },
];

const losses = (rate: number, random: Random) => (): Loss | undefined =>
  rate > 0 && random() < rate ? pick(LOSSES, random) : undefined;

/** How another client uses the tested key during the run. */
interface OtherClient {
  readonly description: string;
  /** When it sends a request, in milliseconds since the beginning, ascending. */
  readonly times: (perMinute: number, windowMs: number, random: Random) => readonly number[];
}

/** The longest that a run may last, in windows. */
const WINDOWS = 16;

const steadily = (intervalMs: (perMinute: number, windowMs: number) => number): OtherClient['times'] => {
  return (perMinute, windowMs, random) => {
    const interval = intervalMs(perMinute, windowMs);
    const times: number[] = [];
    for (let at = random() * interval; at < WINDOWS * windowMs; at += 2 * random() * interval) times.push(at);
    return times;
  };
};

const inBursts = (share: number): OtherClient['times'] => {
  return (perMinute, windowMs, random) => {
    const bursts = Array.from({ length: WINDOWS }, (_, i) => (i + random()) * windowMs);
    const size = Math.max(1, Math.ceil(share * perMinute));
    return bursts.flatMap((at) => Array.from({ length: size }, (_, i) => at + i * 0.1));
  };
};

const NO_OTHER_CLIENT: OtherClient = { description: 'no other client', times: () => [] };

const OTHER_CLIENTS: readonly OtherClient[] = [
  { description: 'another client with three requests per window', times: steadily((_, w) => w / 3) },
  { description: 'another client at a tenth of the limit', times: steadily((l, w) => (10 * w) / l) },
  { description: 'another client at the limit', times: steadily((l, w) => w / l) },
  { description: 'another client in small bursts', times: inBursts(0.1) },
  { description: 'another client that exhausts the quota in bursts', times: inBursts(1.1) },
  { description: 'another client at three times the limit', times: steadily((l, w) => w / l / 3) },
];

/** At most this many ways to conform that differ from the usual one in one service. */
const MOST_AT_ONCE = 4;

/**
 * Topics of which one server can show one at a time: two of a group change the
 * same header, make ids that no service has, hide what another one
 * counts, apply two rules to one text, replace one list by two others, or
 * ban what another one limits.
 */
const groups: readonly (readonly Variant['topic'][])[] = [
  ['K01', 'K02', 'K05', 'K06', 'K07', 'K08', 'K27', 'K29', 'K34', 'K75'],
  ['K24', 'K25', 'K26'],
  ['K46', 'K47', 'K48'],
  ['K47', 'K58'],
  ['K31', 'K81'],
  ['K35', 'K74'],
  ['K57', 'K58', 'K60'],
  ['K57', 'K59', 'K60'],
  ['K62', 'K63', 'K64', 'K76'],
  ['K31', 'K35', 'K39'],
  ['K40', 'K75'],
  ['K05', 'K17', 'K18'],
  ['K19', 'K27', 'K37', 'K74', 'K75'],
  ['K50', 'K68'],
];

/** Whether two variants can be built into one server, and are more than one of them. */
function fit(one: Variant, other: Variant): boolean {
  const bothHave = (field: keyof Variant): boolean => one[field] !== undefined && other[field] !== undefined;
  const sameGroup = groups.some((group) => group.includes(one.topic) && group.includes(other.topic));
  return (
    one.topic !== other.topic &&
    !sameGroup &&
    !(limits(one) && limits(other)) &&
    !(['algorithm', 'namePattern', 'testedWith'] as const).some(bothHave)
  );
}

/** A ban is as long as the usual limiter's wait: after a longer one it would ban a client that waited. */
const limits = ({ topic, wrapLimiter }: Variant): boolean => wrapLimiter !== undefined || topic === 'K35';

/** Not those that need sockets, and no list that takes seconds to read a hundred times. */
const drawable = variants.filter(
  ({ id, testedWith }) => testedWith !== 'sockets' && id !== 'list-of-five-thousand',
);

/** Two to four variants that one server can be at once, at random. */
export function drawVariants(random: Random): readonly Variant[] {
  const size = 2 + Math.floor(random() * (MOST_AT_ONCE - 1));
  const drawn: Variant[] = [];
  let candidates = drawable;
  while (drawn.length < size) {
    const next = candidates[Math.floor(random() * candidates.length)];
    if (next === undefined) return drawn;
    drawn.push(next);
    candidates = candidates.filter((candidate) => fit(candidate, next));
  }
  return [...drawn].sort((a, b) => layerOf(a) - layerOf(b));
}

/**
 * What is built around the rest: ids, because lists are taken apart and written
 * again, which ids of other forms would not survive, and then what stands in
 * front of a service, which writes headers otherwise or answers without JSON.
 */
const layers: readonly (readonly Variant['topic'][])[] = [
  ['K46', 'K47', 'K48'],
  ['K03', 'K50', 'K68', 'K80', 'K81'],
];

const layerOf = ({ topic }: Variant): number => layers.findIndex((layer) => layer.includes(topic));

/** All variants in one service, each around those before it. */
export const combined = (all: readonly Variant[]): Parameters<typeof runAgainst>[0] => ({
  ...Object.assign(
    {},
    ...all.map(({ algorithm, namePattern, testedWith }) =>
      definedFields({ algorithm, namePattern, testedWith }),
    ),
  ),
  ...composed(...all),
});
