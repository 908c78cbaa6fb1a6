import { isJsonObject, parsedJson } from '../../kernel/basics/json.ts';
import type { Envelope } from './envelope.ts';
import { PAYLOAD_TYPE, payloadText } from './envelope.ts';
import type { Statement } from './statement.ts';
import { PREDICATE_TYPE, STATEMENT_TYPE } from './statement.ts';

/** More people than this sign no run. */
const MOST_SIGNATURES = 100;

/** The envelope in this text; undefined where it holds none of an in-toto statement. */
export function readEnvelope(text: string): Envelope | undefined {
  const value = parsedJson(text);
  if (!isJsonObject(value) || value['payloadType'] !== PAYLOAD_TYPE) return undefined;
  const { payload, signatures } = value;
  if (typeof payload !== 'string' || !Array.isArray(signatures)) return undefined;
  // Each one is tried with each key.
  if (signatures.length > MOST_SIGNATURES) return undefined;
  const readable = signatures.every(
    (one) => isJsonObject(one) && typeof one['sig'] === 'string' && typeof one['keyid'] === 'string',
  );
  return readable ? { payloadType: PAYLOAD_TYPE, payload, signatures } : undefined;
}

/** The statement in an envelope; undefined where it is none about a test result. */
export function statementIn(envelope: Envelope): Statement | undefined {
  const value = parsedJson(payloadText(envelope));
  return isStatement(value) ? value : undefined;
}

function isStatement(value: unknown): value is Statement {
  if (
    !isJsonObject(value) ||
    value['_type'] !== STATEMENT_TYPE ||
    value['predicateType'] !== PREDICATE_TYPE
  ) {
    return false;
  }
  const { subject, predicate } = value;
  if (!isJsonObject(predicate) || !isListOf(subject, isResource)) return false;
  const { result, configuration, passedTests, warnedTests, failedTests } = predicate;
  return (
    typeof result === 'string' &&
    isListOf(configuration, isResource) &&
    [passedTests, warnedTests, failedTests].every((tests) => isListOf(tests, (id) => typeof id === 'string'))
  );
}

const isResource = (value: unknown): boolean =>
  isJsonObject(value) &&
  typeof value['name'] === 'string' &&
  [value['digest'], value['annotations']].every(areTexts);

/** Whether these are the texts of a digest or of annotations, or there are none. */
const areTexts = (value: unknown): boolean =>
  value === undefined ||
  (isJsonObject(value) && Object.values(value).every((one) => typeof one === 'string'));

const isListOf = (value: unknown, item: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(item);
