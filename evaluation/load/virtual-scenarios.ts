import { headerValues } from '../../exchanges/headers.ts';
import type { KeyAlias, Operation, Profile, ProfileInputs } from '../../load/model/profile.ts';
import type { Sample, SampleOutcome, ScenarioEvent, Trace } from '../../load/model/sample.ts';
import { headerText } from '../../load/script/header-text.ts';
import type { Port } from '../../load/script/port.ts';
import type { ScenarioEnd } from '../../load/script/scenario.ts';
import { runScenario } from '../../load/script/scenario.ts';
import type { AlgorithmName, BanPolicy, RequestHandler, Seams } from '../../reference-server/index.ts';
import { createService } from '../../reference-server/index.ts';
import type { Plans } from '../../spec/plans.ts';
import type { Reply } from '../../suites/wire/wire.ts';
import { ServiceTime } from '../simulation/service-time.ts';
import type { Network } from '../simulation/service-wire.ts';
import { loopback, ServiceWire } from '../simulation/service-wire.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { seeded } from '../testing/suites/seeded.ts';

/** The circumstances of a load run without k6 and without sockets; a fast link and a server without faults unless said otherwise. */
export interface Circumstances {
  /** The plan file of the server and the plan of the keys; otherwise one that holds the limits of the means alone. */
  readonly plans?: Plans;
  readonly plan?: string;
  readonly algorithm?: AlgorithmName;
  readonly fault?: Seams;
  readonly ban?: BanPolicy;
  readonly network?: Network;
  /** Milliseconds since the Unix epoch at which the run begins. */
  readonly start?: number;
  /** How far the target's clock is ahead of ours, in milliseconds. */
  readonly clockOffset?: number;
  /** What takes the place of the server's answers. */
  readonly wrap?: (answer: RequestHandler) => RequestHandler;
}

/** What the lanes told, how they ended, and what the target counted. */
export interface VirtualTrace extends Trace {
  readonly ends: readonly ScenarioEnd[];
  /** Requests that arrived, by key. */
  readonly counted: ReadonlyMap<KeyAlias, number>;
  /** When the run began and ended, milliseconds since the Unix epoch. */
  readonly began: number;
  readonly ended: number;
}

/** Runs every lane of a profile at once in virtual time, against the reference server's core. */
export async function virtualScenarios(
  profile: Profile,
  inputs: ProfileInputs,
  circumstances: Circumstances = {},
): Promise<VirtualTrace> {
  const { network = loopback, start, clockOffset, wrap = (answer: RequestHandler) => answer } = circumstances;
  const clock = new VirtualClock(start);
  const time = new ServiceTime(clock, clockOffset);
  const began = clock.now().wall;
  const told: Told = { samples: [], events: [] };
  const counted = new Map<KeyAlias, number>();
  const answer = wrap(answerOf(time, inputs, circumstances));
  const scenarios = profile.scenarios(inputs).map((scenario) => {
    const counting: RequestHandler = (request) => {
      counted.set(scenario.key, (counted.get(scenario.key) ?? 0) + 1);
      return answer(request);
    };
    const wire = new ServiceWire(counting, clock, network);
    return runScenario(scenario, inputs.limits, portOf(scenario.key, clock, wire, told));
  });
  const ends = await clock.run(Promise.all(scenarios));
  return { ...told, ends, counted, began, ended: clock.now().wall };
}

interface Told {
  readonly samples: Sample[];
  readonly events: ScenarioEvent[];
}

function answerOf(
  time: ServiceTime,
  { limits, fleet }: ProfileInputs,
  circumstances: Circumstances,
): RequestHandler {
  const { plan = 'free', algorithm, fault, ban } = circumstances;
  const { minuteSeconds, daySeconds, ...numbers } = limits;
  const { plans = { minuteSeconds, daySeconds, plans: { [plan]: numbers } } } = circumstances;
  const keys: readonly KeyAlias[] = ['key', 'other', 'disposable', ...fleetOf(fleet)];
  return createService({
    plans,
    clock: time,
    keys: { free: [], pro: [], business: [], exhausted: [], disposable: [], [plan]: keys },
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(fault === undefined ? {} : { seams: fault }),
    ...(ban === undefined ? {} : { ban }),
  }).handle;
}

const fleetOf = (size: number): readonly KeyAlias[] =>
  Array.from({ length: size }, (_, at) => `fleet-${at + 1}` as const);

function portOf(key: KeyAlias, clock: VirtualClock, wire: ServiceWire, told: Told): Port {
  return {
    now: () => clock.now().wall,
    random: seeded(1),
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
  if (reply.kind === 'no-response') return { kind: 'no-response', error: reply.detail };
  const fields = Object.entries(HEADERS).flatMap(([field, name]) => {
    const values = headerValues(reply.headers, name);
    return values.length === 0 ? [] : [[field, headerText(values.join(', '), [])] as const];
  });
  return { kind: 'answer', status: reply.status, ...Object.fromEntries(fields) };
}
