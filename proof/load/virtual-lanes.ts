import type { KeyAlias, Lane, Means, Profile } from '../../load/model/profile.ts';
import type { LaneEvent, Sample, SampleOutcome, Trace } from '../../load/model/sample.ts';
import type { LaneEnd } from '../../load/script/lane.ts';
import { runLane } from '../../load/script/lane.ts';
import type { Port, Sent } from '../../load/script/port.ts';
import type { AlgorithmName, Answer, BanPolicy, Outcome, Seams } from '../../reference-server/index.ts';
import { createService } from '../../reference-server/index.ts';
import type { Limits } from '../../spec/plans.ts';
import { headerValue } from '../../suites/model/headers.ts';
import { ServiceTime } from '../virtual/service-time.ts';
import type { Network } from '../virtual/service-wire.ts';
import { loopback } from '../virtual/service-wire.ts';
import { VIRTUAL_START, VirtualClock } from '../virtual/virtual-clock.ts';

/** A load run without k6 and without sockets: what is asked of whom. */
export interface VirtualLoad {
  readonly limits: Limits;
  readonly algorithm?: AlgorithmName;
  readonly fault?: Seams;
  readonly ban?: BanPolicy;
  readonly network?: Network;
  /** Milliseconds since the Unix epoch at which the run begins. */
  readonly start?: number;
  /** How far the target's clock is ahead of ours, in milliseconds. */
  readonly clockOffset?: number;
  /** Requests of the key under test, sent by somebody else at these moments before and during the run, milliseconds since its beginning. */
  readonly foreign?: readonly number[];
  /** What takes the place of the reference server's answers. */
  readonly wrap?: (answer: Answer) => Answer;
}

/** What the lanes told, how they ended, and what the target counted. */
export interface VirtualTrace extends Trace {
  readonly ends: readonly LaneEnd[];
  /** Requests that arrived, by key. */
  readonly counted: ReadonlyMap<KeyAlias, number>;
}

/** Runs every lane of a profile at once in virtual time. */
export const virtualProfile = (profile: Profile, means: Means, load: VirtualLoad): Promise<VirtualTrace> =>
  virtualLanes(profile.lanes(means), load);

/** Runs lanes at once in virtual time, against the reference server's core. */
export async function virtualLanes(lanes: readonly Lane[], load: VirtualLoad): Promise<VirtualTrace> {
  const clock = new VirtualClock(load.start ?? VIRTUAL_START);
  const time = new ServiceTime(clock, load.clockOffset);
  const { minuteSeconds, daySeconds, perMinute, perDay } = load.limits;
  const plans = { minuteSeconds, daySeconds, plans: { examined: { perMinute, perDay } } };
  const keys = { free: [], pro: [], business: [], spent: [], sacrificial: [] };
  const service = createService({
    plans,
    clock: time,
    keys: { ...keys, examined: lanes.map(({ key }) => secretOf(key)) },
    ...(load.fault === undefined ? {} : { fault: load.fault }),
    ...(load.algorithm === undefined ? {} : { algorithm: load.algorithm }),
    ...(load.ban === undefined ? {} : { ban: load.ban }),
  });
  const answer = load.wrap?.(service.answer) ?? service.answer;
  const beside = time.beside(answer, secretOf('key'), load.foreign ?? []);
  const told: Told = { samples: [], events: [], counted: new Map() };
  const network = load.network ?? loopback;
  const ports = lanes.map(({ key }) => portOf({ key, answer: beside, clock, network, told }));
  const runs = lanes.map((lane, at) => runLane(lane, load.limits, ports[at] as Port));
  const ends = await clock.run(Promise.all(runs));
  return { ...told, ends };
}

interface Told {
  readonly samples: Sample[];
  readonly events: LaneEvent[];
  readonly counted: Map<KeyAlias, number>;
}

const secretOf = (key: KeyAlias): string => `secret-of-${key}`;

interface PortOf {
  readonly key: KeyAlias;
  readonly answer: Answer;
  readonly clock: VirtualClock;
  readonly network: Network;
  readonly told: Told;
}

function portOf({ key, answer, clock, network, told }: PortOf): Port {
  const now = (): number => clock.now().wall;
  let seed = 1;
  return {
    now,
    random() {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    },
    wait: (until) => clock.sleep(until - now()),
    async send(operation, n): Promise<Sent> {
      const sent = now();
      await clock.sleep(network.there());
      told.counted.set(key, (told.counted.get(key) ?? 0) + 1);
      const outcome = answer({
        method: operation === 'list' ? 'GET' : 'POST',
        target: '/v1/categories',
        headers: [
          ['Authorization', `Bearer ${secretOf(key)}`],
          ['Content-Type', 'application/json'],
        ],
        body: operation === 'list' ? null : Buffer.from(JSON.stringify({ name: `load-${key}-${n}` })),
        client: { address: '127.0.0.1', connection: n },
      });
      await clock.sleep((outcome.delayMs ?? 0) + network.back());
      return { sent, received: now(), outcome: outcomeOf(outcome) };
    },
    sample: (sample) => void told.samples.push(sample),
    event: (event) => void told.events.push(event),
  };
}

function outcomeOf(outcome: Outcome): SampleOutcome {
  if (outcome.kind === 'dropped') return { kind: 'silence', error: 'EOF' };
  const names = {
    limit: 'X-RateLimit-Limit',
    remaining: 'X-RateLimit-Remaining',
    reset: 'X-RateLimit-Reset',
    retryAfter: 'Retry-After',
    date: 'Date',
  };
  const values = Object.entries(names).flatMap(([field, name]) => {
    const value = headerValue(outcome.headers, name);
    return value === undefined ? [] : [[field, value] as const];
  });
  return { kind: 'answer', status: outcome.status, ...Object.fromEntries(values) };
}
