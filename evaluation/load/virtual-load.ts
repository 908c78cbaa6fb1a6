import assert from 'node:assert/strict';
import { definedFields } from '../../kernel/basics/json.ts';
import { headerValues } from '../../kernel/exchanges/headers.ts';
import type { Verdict } from '../../kernel/findings/record.ts';
import type { JudgedRun } from '../../load/judging/run-judge.ts';
import type { KeyAlias, Operation, Profile, ProfileInputs } from '../../load/model/profile.ts';
import type { BodyReading, Sample, SampleOutcome, ScenarioEvent } from '../../load/model/sample.ts';
import { KEPT_HEADERS } from '../../load/model/sample.ts';
import { findProfile } from '../../load/profiles/index.ts';
import type { ReadResponse } from '../../load/script/body-reader.ts';
import { BodyReader, categoryName, headerText } from '../../load/script/body-reader.ts';
import type { Port } from '../../load/script/scenario.ts';
import { runScenario } from '../../load/script/scenario.ts';
import type { BanPolicy } from '../../reference-server/limiters/ban.ts';
import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { RequestHandler } from '../../reference-server/service/message.ts';
import { createService } from '../../reference-server/service/service.ts';
import type { Plans } from '../../spec/plans.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { ExpectationId } from '../../spec/register.ts';
import type { Reply, Route } from '../../suites/service/wire/wire.ts';
import type { ClockSet } from '../simulation/service-time.ts';
import { ServiceTime, VirtualClock } from '../simulation/service-time.ts';
import type { Network } from '../simulation/service-wire.ts';
import { loopback, ServiceWire } from '../simulation/service-wire.ts';
import { judgeLoad, TESTED } from '../testing/load/runs.ts';
import { seeded } from '../testing/suites/limiters.ts';

/** A load run in simulated time; by default with the real plans, a fast link and a fleet of three. */
export interface VirtualLoad extends LoadConditions {
  readonly profile: string;
  /** Keys of a fleet; by default 3. */
  readonly fleet?: number;
  /** The plans of the keys of the fleet, one name for each key; in place of `fleet`. */
  readonly fleetOf?: readonly string[];
  /** Duration of a soak, in windows; by default 2. */
  readonly minutes?: number;
  /** Whether the user states that no other client uses the keys; by default not. */
  readonly exclusive?: boolean;
}

const FLEET = 3;
const MINUTES = 2;

/** Runs a profile with the scenarios of k6's script against the core of the reference server, in simulated time, and judges it. */
export async function virtualLoad(load: VirtualLoad): Promise<JudgedRun> {
  const {
    plan = 'free',
    plans = loadPlans(),
    fleet = FLEET,
    minutes = MINUTES,
    exclusive = false,
    fleetOf,
  } = load;
  const profile = findProfile(load.profile);
  const inputs: ProfileInputs = {
    ...{ limits: limitsOf(plans, plan), fleet: fleetOf?.length ?? fleet, minutes },
    ...(fleetOf === undefined
      ? {}
      : { fleetPlans: fleetOf.map((one) => ({ plan: one, limits: limitsOf(plans, one), keys: 1 })) }),
    ...(exclusive ? { exclusiveKeys: true } : {}),
  };
  const { samples, events, stops, started, ended } = await virtualScenarios(profile, inputs, {
    ...load,
    plans,
    plan,
  });
  const trace = { samples, events };
  const stopped = stops.find((stop) => stop !== undefined);
  return judgeLoad({
    ...TESTED,
    target: { baseUrl: 'http://virtual.example/v1', plan },
    profile,
    inputs,
    trace,
    ended:
      stopped === undefined
        ? { how: 'finished', because: 'Every planned request was sent.' }
        : { how: 'stopped', because: stopped.detail },
    startedAt: new Date(started).toISOString(),
    finishedAt: new Date(ended).toISOString(),
  });
}

/** Tests what an expectation says of a run in simulated time. @returns why it says so. */
export async function assertVerdict(load: VirtualLoad, id: ExpectationId, verdict: Verdict): Promise<string> {
  const { requirements } = (await virtualLoad(load)).record;
  const found = requirements.find((one) => one.id === id);
  assert.equal(found?.verdict, verdict, found?.because);
  return found.because;
}

/** The conditions of a load run without k6 and without sockets; by default a fast link and a server without faults. */
export interface LoadConditions {
  /** The plan file of the server and the plan of the keys; by default one with the limits of the inputs only. */
  readonly plans?: Plans;
  readonly plan?: string;
  readonly algorithm?: AlgorithmName;
  readonly fault?: Seams;
  readonly ban?: BanPolicy;
  readonly network?: Network;
  /** Milliseconds since the Unix epoch at which the run starts. */
  readonly start?: number;
  /** How far the target's clock is ahead of the load generator's, in milliseconds. */
  readonly clockOffset?: number;
  /** Whether the target keeps connections open; by default it does. */
  readonly keepsConnections?: boolean;
  /** How the target's clock is set during the run. */
  readonly clockSet?: ClockSet;
  /** A run of another profile that used the same keys just before, and how long before, in milliseconds. */
  readonly earlier?: { readonly profile: Profile; readonly gapMs: number };
  /** Replaces the server's responses. @param now milliseconds since the Unix epoch, of the simulation. */
  readonly wrap?: (answer: RequestHandler, now: () => number) => RequestHandler;
}

/**
 * Runs the scenarios of a profile concurrently in simulated time, against the core of the reference server.
 * @returns their records, why each of them stopped (undefined where it finished), the requests that arrived by key, and
 * when the run started and ended, in milliseconds since the Unix epoch.
 */
export async function virtualScenarios(
  profile: Profile,
  inputs: ProfileInputs,
  conditions: LoadConditions = {},
) {
  const { network = loopback, start, clockOffset, keepsConnections = true } = conditions;
  const { wrap = (answer: RequestHandler) => answer } = conditions;
  const clock = new VirtualClock(start);
  const time = new ServiceTime(clock, clockOffset, conditions.clockSet);
  const records: Records = { samples: [], events: [] };
  const counted = new Map<KeyAlias, number>();
  const answer = wrap(answerOf(time, inputs, conditions), () => clock.now().wall);
  let wires = 0;
  const runOf = (one: Profile, into: Records) =>
    Promise.all(
      one.scenarios(inputs).map((scenario) => {
        wires += 1;
        const others = wires * MOST_CONNECTIONS;
        const counting: RequestHandler = (request) => {
          if (into === records) counted.set(scenario.key, (counted.get(scenario.key) ?? 0) + 1);
          const { client } = request;
          return answer({ ...request, client: { ...client, connection: others + client.connection } });
        };
        const wire = new ServiceWire(counting, clock, network);
        return runScenario(scenario, portOf(scenario.key, clock, wire, { records: into, keepsConnections }));
      }),
    );
  let started = clock.now().wall;
  const stops = await clock.run(
    (async () => {
      if (conditions.earlier !== undefined) {
        await runOf(conditions.earlier.profile, { samples: [], events: [] });
        await clock.sleep(conditions.earlier.gapMs);
        started = clock.now().wall;
      }
      return runOf(profile, records);
    })(),
  );
  return { ...records, stops, counted, started, ended: clock.now().wall };
}

/** No key opens so many connections: each has numbers of its own. */
const MOST_CONNECTIONS = 1_000_000;

interface Records {
  readonly samples: Sample[];
  readonly events: ScenarioEvent[];
}

function answerOf(
  time: ServiceTime,
  { limits, fleet, fleetPlans = [] }: ProfileInputs,
  conditions: LoadConditions,
): RequestHandler {
  const { plan = 'free', algorithm, fault, ban } = conditions;
  const { minuteSeconds, daySeconds, ...numbers } = limits;
  const { plans = { minuteSeconds, daySeconds, plans: { [plan]: numbers } } } = conditions;
  const aliases = fleetAliases(fleet);
  const keys: readonly KeyAlias[] = ['key', 'other', 'disposable', ...aliases];
  const ofPlan = (name: string): readonly KeyAlias[] =>
    aliases.filter((_, at) => fleetPlans[at]?.plan === name);
  const byPlan = Object.fromEntries(fleetPlans.map(({ plan: name }) => [name, ofPlan(name)]));
  return createService({
    plans,
    clock: time,
    keys: { free: [], pro: [], business: [], exhausted: [], disposable: [], [plan]: keys, ...byPlan },
    ...definedFields({ algorithm, seams: fault, ban }),
  }).handle;
}

const fleetAliases = (size: number): readonly KeyAlias[] =>
  Array.from({ length: size }, (_, at) => `fleet-${at + 1}` as const);

/** The name of every simulated run. */
const RUN = 'simulated';

function portOf(
  key: KeyAlias,
  clock: VirtualClock,
  wire: ServiceWire,
  { records, keepsConnections }: { readonly records: Records; readonly keepsConnections: boolean },
): Port {
  const bodies = new BodyReader({ run: RUN, keys: 1, secrets: [] });
  // As k6 does: a connection without a request in flight is used again.
  const idle: Route[] = [];
  let opened = 0;
  return {
    now: () => clock.now().wall,
    random: seeded(1),
    wait: (until) => clock.sleep(until - clock.now().wall),
    async send(request, received) {
      const { operation, n } = request;
      const name = categoryName(RUN, key, n);
      const kept = idle.pop();
      if (kept === undefined) opened += 1;
      const route = kept ?? (`parallel-${opened}` as const);
      const reply = await wire.send({ ...requestOf(operation, key, name), route });
      if (keepsConnections) idle.push(route);
      const { connection } = reply;
      const outcome = outcomeOf(reply, (response) => bodies.read(operation, name, response));
      const fresh = connection.fresh ? ({ opened: true } as const) : {};
      const times = { sent: reply.sent.wall, received: reply.received.wall };
      const sample: Sample = { ...request, ...times, ...fresh, outcome };
      received(sample);
      return sample;
    },
    recordSample: (sample) => records.samples.push(sample),
    recordEvent: (event) => records.events.push(event),
  };
}

function requestOf(operation: Operation, key: KeyAlias, name: string) {
  const authorization = ['Authorization', `Bearer ${key}`] as const;
  if (operation === 'list')
    return { method: 'GET', path: '/categories', headers: [authorization], body: null };
  return {
    method: 'POST',
    path: '/categories',
    headers: [authorization, ['Content-Type', 'application/json'] as const],
    body: Buffer.from(JSON.stringify({ name })),
  };
}

/** The outcome as the script of k6 records it: lines of one header joined with a comma, and bounded. */
function outcomeOf(
  reply: Reply,
  readBody: (response: ReadResponse) => BodyReading | undefined,
): SampleOutcome {
  if (reply.kind === 'no-response') return { kind: 'no-response', error: reply.detail };
  const fields = KEPT_HEADERS.flatMap(([field, name]) => {
    const values = headerValues(reply.headers, name);
    return values.length === 0 ? [] : [[field, headerText(values.join(', '), [])] as const];
  });
  const { status } = reply;
  const body = readBody({ status, body: reply.body.toString(), headers: {} });
  return { kind: 'answer', status, ...Object.fromEntries(fields), ...definedFields({ body }) };
}
