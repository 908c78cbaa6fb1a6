import type { Sample, ScenarioEvent } from '../model/sample.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value read from a file is a sample: every field that judging uses has its type. */
export function isSample(value: unknown): value is Sample {
  if (!isFields(value)) return false;
  const { key, n, step, kind, operation, planned, sent, received, outcome } = value;
  return (
    [key, kind].every(isText) &&
    [n, step, sent, received].every(isNumber) &&
    (planned === null || isNumber(planned)) &&
    (operation === 'list' || operation === 'create') &&
    isFields(outcome) &&
    (outcome['kind'] === 'no-response' ? isText(outcome['error']) : isAnswer(outcome))
  );
}

/** Whether a value read from a file is an event of a scenario. */
export function isScenarioEvent(value: unknown): value is ScenarioEvent {
  if (!isFields(value) || !isText(value['key']) || !isNumber(value['at'])) return false;
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

const isAnswer = (outcome: Fields): boolean =>
  outcome['kind'] === 'answer' &&
  isNumber(outcome['status']) &&
  ['limit', 'remaining', 'reset', 'retryAfter', 'date'].every(
    (field) => outcome[field] === undefined || isText(outcome[field]),
  );

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
