import type { Scenario } from '../../../suites/client/model/scenario.ts';
import type { StatedRequest, StatedStart } from '../../testing/clients/synthetic-client.ts';

/** The own delays of one call, in milliseconds: each call of the function gives the next one. */
type OwnDelays = (random: () => number) => () => number;

/** What a delay is spread from, in milliseconds. */
interface Planned {
  readonly planned: number;
  readonly base: number;
  readonly longest: number;
  /** The delay before this one, the base at first. */
  readonly last: number;
  readonly random: () => number;
}

/** How a client spreads its delays. Every kind but `none` is in use by a library. */
export const JITTERS = {
  none: ({ planned }: Planned) => planned,
  'up-to-base': ({ planned, base, random }: Planned) => planned + base * random(),
  equal: ({ planned, random }: Planned) => planned / 2 + (planned / 2) * random(),
  'half-either-way': ({ planned, random }: Planned) => planned * (0.5 + random()),
  full: ({ planned, random }: Planned) => planned * random(),
  decorrelated: ({ base, longest, last, random }: Planned) =>
    Math.min(longest, base + (3 * last - base) * random()),
};
export type Jitter = keyof typeof JITTERS;

/** Delays that grow exponentially. */
export interface Exponential {
  /** Milliseconds. */
  readonly base: number;
  readonly factor: number;
  readonly jitter: Jitter;
  /** The longest delay as a multiple of the base; Infinity for none. */
  readonly cap: number;
}

/** Delays that grow exponentially up to their cap. */
export const exponential =
  ({ base, factor, jitter, cap }: Exponential): OwnDelays =>
  (random) => {
    let attempt = 0;
    let last = base;
    return () => {
      const planned = base * Math.min(cap, factor ** attempt++);
      last = JITTERS[jitter]({ planned, base, longest: base * cap, last, random });
      return last;
    };
  };

/** Delays from `first` on that grow by `step` each time, in milliseconds; `spread` is the least and the most share of each that is waited. */
export const linear =
  (first: number, step = 0, spread?: readonly [least: number, most: number]): OwnDelays =>
  (random) => {
    let attempt = 0;
    return () => {
      const planned = first + step * attempt++;
      if (spread === undefined) return planned;
      const [least, most] = spread;
      return planned * (least + (most - least) * random());
    };
  };

/** What a pause is made of, in milliseconds: the wait is 0 where none is announced. */
interface Waited {
  readonly wait: number;
  readonly announced: number | undefined;
  readonly own: number;
  readonly random: () => number;
}

/** How a client combines the announced wait with its own delay. `replaces` retries at once after an announced 0. */
const WAIT_RULES = {
  sum: ({ wait, own }: Waited) => wait + own,
  longer: ({ wait, own }: Waited) => Math.max(wait, own),
  replaces: ({ announced, own }: Waited) => announced ?? own,
  'replaces above 0': ({ wait, own }: Waited) => (wait > 0 ? wait : own),
  ignores: ({ own }: Waited) => own,
  'subtracts jitter': ({ wait, own, random }: Waited) => (wait > 0 ? wait * random() : own),
  'at most 2 s': ({ wait, own }: Waited) => Math.min(2000, wait) + own,
  'at most 60 s': ({ wait, own }: Waited) => Math.min(60_000, wait) + own,
  'own delay above 60 s': ({ wait, own }: Waited) => (wait > 60_000 ? own : wait + own),
};
export type WaitRule = keyof typeof WAIT_RULES;

/** A client in simulated time. */
export interface SimulatedClient {
  readonly delays: OwnDelays;
  readonly rule: WaitRule;
  /** How many retries one call gets. */
  readonly retries: number;
  /** Whether its tasks share what one of them learns. */
  readonly gate: boolean;
  /** Whether it reads an HTTP-date; one that does not takes its own delay. */
  readonly readsDates: boolean;
  /** What the machine that it runs on adds to its delays. */
  readonly noise: Noise;
  /** What it takes from a success to its next call, in milliseconds. */
  readonly afterSuccess: number;
  /** What it leaves between any two requests at least, in milliseconds. */
  readonly spacing: number;
}

/** Milliseconds that a machine adds to a delay. */
type Noise = (random: () => number) => number;

/** When a start ends that shows no more, in milliseconds. */
const WATCHED = 75_000;
/** From the arrival to the response, in milliseconds. */
const SERVED_AFTER = 1;

/** The noise of a busy machine, as measured with ten clients on two cores: median 1.4, 90 % below 5, 99 % below 16. */
export const busy: Noise = (random) => noiseOf(random(), [0.2, 1.4, 5, 16, 24]);

/** The noise of a busy machine, on which a client takes so many milliseconds besides for each request, as a script that starts programs. */
export const slower =
  (by: number): Noise =>
  (random) =>
    by + busy(random);

/** The noise of an overloaded machine, as measured with thirty clients on two cores: median 4, 90 % below 21, 99 % below 94. */
export const overloaded: Noise = (random) => noiseOf(random(), [0.2, 4, 21, 94, 136]);

/** The milliseconds at this share of a distribution that is known by its least, its quantiles of 50, 90 and 99 %, and its greatest. */
function noiseOf(share: number, quantiles: readonly [number, number, number, number, number]): number {
  const [least, half, most, nearlyAll, greatest] = quantiles;
  const between = (from: number, to: number, low: number, high: number): number =>
    low + ((high - low) * (share - from)) / (to - from);
  if (share < 0.5) return between(0, 0.5, least, half);
  if (share < 0.9) return between(0.5, 0.9, half, most);
  return share < 0.99 ? between(0.9, 0.99, most, nearlyAll) : between(0.99, 1, nearlyAll, greatest);
}

/** From the response to the next request, in milliseconds. `announced` is undefined where the response announces nothing that the client reads. */
const pauseOf = (
  { rule, spacing }: SimulatedClient,
  announced: number | undefined,
  own: number,
  random: () => number,
): number => Math.max(spacing, WAIT_RULES[rule]({ wait: announced ?? 0, own, announced, random }));

/** A start of a series: one call that gets 429 six times. */
export function seriesStart(
  client: SimulatedClient,
  scenario: Scenario,
  retryAfter: string | undefined,
  random: () => number,
): StatedStart {
  const next = client.delays(random);
  const announced = retryAfter === undefined ? undefined : 1000 * Number(retryAfter);
  const requests: StatedRequest[] = [];
  let at = 0;
  for (let attempt = 0; attempt <= Math.min(6, client.retries) && at < WATCHED; attempt += 1) {
    const limited = attempt < 6;
    requests.push({
      at,
      ...(limited ? { status: 429 } : {}),
      ...(limited && retryAfter !== undefined ? { retryAfter } : {}),
    });
    at += SERVED_AFTER + pauseOf(client, announced, next(), random) + client.noise(random);
  }
  return { scenario, requests };
}

/** A start in which the first request of the work is rate-limited, with seconds, or until a date so many milliseconds after the beginning of the start. */
export function waitStart(
  client: SimulatedClient,
  scenario: Scenario,
  retryAfter: string | number,
  random: () => number,
): StatedStart {
  const isDate = typeof retryAfter === 'number';
  // A date is on a whole second, so the request comes at any moment of the second in which the start begins.
  const origin = isDate ? 999 * random() : 0;
  const announced = isDate ? retryAfter - origin - SERVED_AFTER : 1000 * Number(retryAfter);
  const read = isDate && !client.readsDates ? undefined : announced;
  const pause = pauseOf(client, read, client.delays(random)(), random);
  const method = scenario.work.calls === 0 ? 'POST' : 'GET';
  const again = origin + SERVED_AFTER + (client.retries > 0 ? pause : announced) + client.noise(random);
  const next = (at: number): number =>
    at + SERVED_AFTER + Math.max(client.spacing, client.afterSuccess) + client.noise(random);
  const later = next(again);
  return {
    scenario,
    requests: [
      { at: origin, method, status: 429, retryAfter },
      { at: again, method },
      { at: later, method },
      ...(scenario.work.calls > 1 ? [{ at: next(later), method: 'POST' }] : []),
    ],
  };
}

/** A start with four tasks, of which one is rate-limited for 4 s while the others are in flight. */
export function parallelStart(
  client: SimulatedClient,
  scenario: Scenario,
  random: () => number,
): StatedStart {
  const [limitedAt, releasedAt, until] = [100, 800, 4100];
  const first: readonly StatedRequest[] = [0, 1, 2, 3].map((task) =>
    task === 0
      ? { at: task, took: limitedAt, status: 429, retryAfter: '4', inFlight: 1 }
      : { at: task, took: releasedAt - task, inFlight: task + 1, connection: task + 1 },
  );
  const retried = {
    at: limitedAt + pauseOf(client, 4000, client.delays(random)(), random) + client.noise(random),
  };
  const others = [1, 2, 3].flatMap((task): readonly StatedRequest[] => {
    const at = (client.gate ? until : releasedAt) + client.noise(random);
    if (client.gate) return [{ at, connection: task + 1 }];
    const left = Math.ceil((until - at) / 1000);
    const again =
      at +
      SERVED_AFTER +
      pauseOf(client, 1000 * left, client.delays(random)(), random) +
      client.noise(random);
    return [
      { at, status: 429, retryAfter: String(left), connection: task + 1 },
      { at: again, connection: task + 1 },
    ];
  });
  return { scenario, requests: [...first, ...[retried, ...others].sort((a, b) => a.at - b.at)] };
}
