import { judgeLoad } from '../../load/judging/judge.ts';
import type { KeyAlias, Means, Operation } from '../../load/model/profile.ts';
import type { LoadRecord } from '../../load/model/record.ts';
import type { LaneEvent, Sample, SampleOutcome, Trace } from '../../load/model/sample.ts';
import { findProfile } from '../../load/profiles/index.ts';
import { headerText } from '../../load/script/header-text.ts';
import { runLane } from '../../load/script/lane.ts';
import type { Port } from '../../load/script/port.ts';
import type { AlgorithmName, BanPolicy, Seams } from '../../reference-server/index.ts';
import { createService } from '../../reference-server/index.ts';
import type { Plans } from '../../spec/plans.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { headerValues } from '../../suites/model/headers.ts';
import { seeded } from '../../suites/testing/seeded.ts';
import type { Reply } from '../../suites/wire/wire.ts';
import type { Network } from '../virtual/service-wire.ts';
import { loopback, ServiceWire } from '../virtual/service-wire.ts';
import { VirtualClock } from '../virtual/virtual-clock.ts';

/** A load run in virtual time; the real plans, a fast link and a fleet of three unless said otherwise. */
export interface VirtualLoad {
  readonly profile: string;
  readonly plans?: Plans;
  readonly plan?: string;
  readonly algorithm?: AlgorithmName;
  readonly fault?: Seams;
  readonly ban?: BanPolicy;
  readonly network?: Network;
  /** Milliseconds since the Unix epoch. */
  readonly start?: number;
}

/** What was judged, and from what. */
export interface VirtualLoadResult {
  readonly record: LoadRecord;
  readonly trace: Trace;
}

const FLEET = 3;
const MINUTES = 2;

/** Runs a profile with the lanes of k6's script against the reference server's core, in virtual time, and judges it. */
export async function virtualLoad(load: VirtualLoad): Promise<VirtualLoadResult> {
  const { algorithm, fault, ban, network = loopback, plan = 'free', plans = loadPlans() } = load;
  const clock = new VirtualClock(load.start);
  const service = createService({
    plans,
    clock: { now: () => clock.now().wall },
    keys: { ...NO_KEYS, [plan]: keysOf('key', 'other', 'sacrificial', ...fleet()) },
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(fault === undefined ? {} : { fault }),
    ...(ban === undefined ? {} : { ban }),
  });
  const profile = findProfile(load.profile);
  const means: Means = { limits: limitsOf(plans, plan), fleet: FLEET, minutes: MINUTES };
  const told: { readonly samples: Sample[]; readonly events: LaneEvent[] } = { samples: [], events: [] };
  const startedAt = new Date(clock.now().wall).toISOString();
  const lanes = profile.lanes(means).map((lane) => {
    const wire = new ServiceWire(service.answer, clock, network);
    return runLane(lane, means.limits, portOf(lane.key, clock, wire, told));
  });
  const ends = await clock.run(Promise.all(lanes));
  const stopped = ends.find((end) => end.kind === 'stopped');
  const record = judgeLoad({
    suite: { name: 'petstore-conformance', version: '0' },
    target: { baseUrl: 'virtual', plan },
    profile,
    means,
    trace: told,
    ended:
      stopped?.kind === 'stopped'
        ? { how: 'stopped', because: stopped.detail }
        : { how: 'finished', because: 'All was sent.' },
    startedAt,
    finishedAt: new Date(clock.now().wall).toISOString(),
    environment: { k6: 'virtual', node: 'virtual', platform: 'virtual', cpus: 1 },
  });
  return { record, trace: told };
}

const NO_KEYS = { free: [], pro: [], business: [], spent: [], sacrificial: [] };
const fleet = (): readonly KeyAlias[] => Array.from({ length: FLEET }, (_, at) => `fleet-${at + 1}` as const);
const keysOf = (...names: readonly KeyAlias[]): readonly string[] => names;

function portOf(
  key: KeyAlias,
  clock: VirtualClock,
  wire: ServiceWire,
  told: { readonly samples: Sample[]; readonly events: LaneEvent[] },
): Port {
  const random = seeded(1);
  return {
    now: () => clock.now().wall,
    random,
    wait: (until) => clock.sleep(until - clock.now().wall),
    async send(operation, n) {
      const reply = await wire.send({ ...requestOf(operation, key, n), route: 'new' });
      return { sent: reply.sent.wall, received: reply.received.wall, outcome: outcomeOf(reply) };
    },
    sample: (sample) => told.samples.push(sample),
    event: (event) => told.events.push(event),
  };
}

function requestOf(operation: Operation, key: KeyAlias, n: number) {
  const authorization = ['Authorization', `Bearer ${key}`] as const;
  if (operation === 'list')
    return { method: 'GET', path: '/categories', headers: [authorization], body: null };
  return {
    method: 'POST',
    path: '/categories',
    headers: [authorization, ['Content-Type', 'application/json'] as const],
    body: Buffer.from(JSON.stringify({ name: `load ${key} ${n}` })),
  };
}

const HEADERS = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
  retryAfter: 'Retry-After',
  date: 'Date',
} as const;

/** As k6 and its script have it: the lines of one name joined with a comma, and bounded. */
function outcomeOf(reply: Reply): SampleOutcome {
  if (reply.kind === 'silence') return { kind: 'silence', error: reply.detail };
  const fields = Object.entries(HEADERS).flatMap(([field, name]) => {
    const values = headerValues(reply.headers, name);
    return values.length === 0 ? [] : [[field, headerText(values.join(', '), [])] as const];
  });
  return { kind: 'answer', status: reply.status, ...Object.fromEntries(fields) };
}
