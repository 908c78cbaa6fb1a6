import { isJsonObject } from '../../words/json.ts';
import type { FleetPlan } from '../model/profile.ts';
import { PROFILE_IDS } from '../model/profile.ts';
import type { LoadEnding } from '../model/record.ts';
import type { LoadRunFile } from '../model/run-file.ts';
import type { BodyReading, Sample, ScenarioEvent } from '../model/sample.ts';
import { thresholdTrouble } from '../model/thresholds.ts';

/** Whether a value read from a file is a sample: every field that judging uses has its type. */
export function isSample(value: unknown): value is Sample {
  if (!isJsonObject(value)) return false;
  const { key, n, step, kind, operation, planned, sent, received, outcome } = value;
  return (
    [key, kind].every(isText) &&
    [n, step, sent, received].every(isNumber) &&
    (planned === null || isNumber(planned)) &&
    (operation === 'list' || operation === 'create') &&
    isJsonObject(outcome) &&
    (outcome['kind'] === 'no-response' ? isText(outcome['error']) : isAnswer(outcome))
  );
}

/** Whether a value read from a file is an event of a scenario. */
export function isScenarioEvent(value: unknown): value is ScenarioEvent {
  if (!isJsonObject(value) || !isText(value['key']) || !isNumber(value['at'])) return false;
  switch (value['kind']) {
    case 'waiting':
      return isNumber(value['untilMs']) && isText(value['because']);
    case 'stopped':
      return isText(value['because']) && isText(value['detail']);
    case 'finished':
      return isNumber(value['requests']);
    default:
      return false;
  }
}

/** Whether a value read from a file is the file of a run: every field that judging uses has its type. */
export function isRunFile(value: unknown): value is LoadRunFile {
  if (!isJsonObject(value)) return false;
  const {
    schemaVersion,
    suite,
    spec,
    target,
    product,
    profile,
    inputs,
    startedAt,
    environment,
    latencyThresholdMs,
    end,
  } = value;
  return (
    schemaVersion === 2 &&
    (PROFILE_IDS as readonly unknown[]).includes(profile) &&
    isJsonObject(inputs) &&
    [inputs['fleet'], inputs['minutes']].every(isPositive) &&
    isLimits(inputs['limits']) &&
    (inputs['capacity'] === undefined || isCapacity(inputs['capacity'])) &&
    (inputs['fleetPlans'] === undefined || isFleetPlans(inputs['fleetPlans'], inputs['fleet'])) &&
    (value['runners'] === undefined || isPositive(value['runners'])) &&
    isJsonObject(suite) &&
    [suite['name'], suite['version'], startedAt].every(isText) &&
    (spec === undefined || (isJsonObject(spec) && [spec['version'], spec['digest']].every(isText))) &&
    isJsonObject(target) &&
    [target['baseUrl'], target['plan']].every(isText) &&
    (product === undefined || (isJsonObject(product) && Object.values(product).every(isText))) &&
    isJsonObject(environment) &&
    [environment['k6'], environment['node'], environment['platform']].every(isText) &&
    isPositive(environment['cpus']) &&
    (latencyThresholdMs === null || isPositive(latencyThresholdMs)) &&
    (value['thresholds'] === undefined || thresholdTrouble(value['thresholds']) === undefined) &&
    (end === null || (isJsonObject(end) && isEnd(end)))
  );
}

const isLimits = (value: unknown): boolean =>
  isJsonObject(value) &&
  ['perMinute', 'perDay', 'minuteSeconds', 'daySeconds'].every((field) => isPositive(value[field]));

/** Whether these are the plans of a fleet of this size. */
const isFleetPlans = (value: unknown, fleet: unknown): value is readonly FleetPlan[] =>
  Array.isArray(value) &&
  value.every(
    (one: unknown) =>
      isJsonObject(one) &&
      isText(one['plan']) &&
      isLimits(one['limits']) &&
      Number.isSafeInteger(one['keys']),
  ) &&
  (value as readonly FleetPlan[]).reduce((sum, { keys }) => sum + keys, 0) === fleet;

const isCapacity = (value: unknown): boolean =>
  isJsonObject(value) &&
  ['perSecond', 'seconds'].every((field) => isPositive(value[field])) &&
  ['rampSeconds', 'createShare'].every((field) => isNumber(value[field])) &&
  (value['arrivals'] === 'even' || value['arrivals'] === 'poisson');

const ENDINGS: ReadonlySet<unknown> = new Set<LoadEnding['how']>([
  'finished',
  'stopped',
  'interrupted',
  'failed',
]);

const isEnd = ({ how, because, finishedAt, remarks = [] }: Readonly<Record<string, unknown>>): boolean =>
  ENDINGS.has(how) &&
  isText(because) &&
  isText(finishedAt) &&
  Array.isArray(remarks) &&
  remarks.every(isText);

const isAnswer = (outcome: Readonly<Record<string, unknown>>): boolean =>
  outcome['kind'] === 'answer' &&
  isNumber(outcome['status']) &&
  ['limit', 'remaining', 'reset', 'retryAfter', 'date'].every(
    (field) => outcome[field] === undefined || isText(outcome[field]),
  ) &&
  (outcome['body'] === undefined || isBodyReading(outcome['body']));

const isBodyReading = (value: unknown): value is BodyReading => {
  if (!isJsonObject(value)) return false;
  const { kind, id, problem, excerpt } = value;
  if (kind === 'category') return id === undefined || isText(id);
  return kind === 'list' || (kind === 'wrong' && isText(problem) && isText(excerpt));
};

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isPositive = (value: unknown): value is number => isNumber(value) && value > 0;
