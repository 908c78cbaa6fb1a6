import type { Check } from '../../kernel/basics/shape.ts';
import {
  address,
  either,
  exactly,
  listOf,
  mapOf,
  maybe,
  maybeText,
  moment,
  number,
  object,
  text,
} from '../../kernel/basics/shape.ts';
import type { LoadEnding } from '../../kernel/findings/load.ts';
import type { ProfileInputs } from '../model/profile.ts';
import { PROFILE_IDS } from '../model/profile.ts';
import type { LoadRunFile } from '../model/run-file.ts';
import type { Sample, ScenarioEvent } from '../model/sample.ts';
import { thresholdTrouble } from '../model/thresholds.ts';

const positive: Check = (value) => number(value) && Number(value) > 0;

const body = either(
  object({ kind: exactly('category'), id: maybeText }),
  object({ kind: exactly('list') }),
  object({ kind: exactly('wrong'), problem: text, excerpt: text }),
);
const answer = object({
  kind: exactly('answer'),
  status: number,
  limit: maybeText,
  remaining: maybeText,
  reset: maybeText,
  retryAfter: maybeText,
  date: maybeText,
  age: maybeText,
  xCache: maybeText,
  body: maybe(body),
});
const sample = object({
  key: text,
  n: number,
  step: number,
  kind: text,
  operation: exactly('list', 'create'),
  planned: either(exactly(null), number),
  sent: number,
  received: number,
  opened: maybe(exactly(true)),
  outcome: either(answer, object({ kind: exactly('no-response'), error: text })),
});

/** Whether a value read from a file is a sample: every field that judging uses has its type. */
export const isSample = (value: unknown): value is Sample => sample(value);

const ofScenario = { key: text, at: number };
const event = either(
  object({ ...ofScenario, kind: exactly('waiting'), untilMs: number, because: text }),
  object({ ...ofScenario, kind: exactly('stopped'), because: text, detail: text }),
  object({ ...ofScenario, kind: exactly('finished'), requests: number }),
);

/** Whether a value read from a file is an event of a scenario. */
export const isScenarioEvent = (value: unknown): value is ScenarioEvent => event(value);

/** No free text: a report shows these, and nothing derives them. */
const version: Check = (value) => text(value) && /^[0-9][0-9A-Za-z.+-]{0,30}$/.test(String(value));
const platform: Check = (value) => text(value) && /^[a-z0-9]{1,20} [a-z0-9_]{1,20}$/.test(String(value));

const limits = object({
  perMinute: positive,
  perDay: positive,
  minuteSeconds: positive,
  daySeconds: positive,
});
const capacity = object({
  perSecond: positive,
  seconds: positive,
  rampSeconds: number,
  createShare: number,
  arrivals: exactly('even', 'poisson'),
});
const plansOfFleet = listOf(object({ plan: text, limits, keys: Number.isSafeInteger }));

const endings: readonly LoadEnding['how'][] = ['finished', 'stopped', 'interrupted', 'failed'];
const end = object({
  how: exactly(...endings),
  because: text,
  finishedAt: moment,
  remarks: maybe(listOf(text)),
});

const runFile = object({
  schemaVersion: exactly(2),
  suite: object({ name: text, version: text }),
  spec: maybe(object({ version: text, digest: text })),
  target: object({ baseUrl: address, plan: text, bundled: maybe(exactly(true)) }),
  product: maybe(mapOf(text)),
  profile: exactly(...PROFILE_IDS),
  inputs: object({
    fleet: positive,
    minutes: positive,
    limits,
    capacity: maybe(capacity),
    fleetPlans: maybe(plansOfFleet),
  }),
  startedAt: moment,
  environment: object({ k6: version, node: version, platform, cpus: positive }),
  latencyThresholdMs: either(exactly(null), positive),
  thresholds: maybe((value) => thresholdTrouble(value) === undefined),
  runners: maybe(positive),
  end: either(exactly(null), end),
});

/** Whether a value read from a file is the file of a run: every field that judging uses has its type. */
export const isRunFile = (value: unknown): value is LoadRunFile =>
  runFile(value) && hasPlanForEachKey((value as LoadRunFile).inputs);

const hasPlanForEachKey = ({ fleet, fleetPlans }: ProfileInputs): boolean =>
  fleetPlans === undefined || fleetPlans.reduce((sum, { keys }) => sum + keys, 0) === fleet;
