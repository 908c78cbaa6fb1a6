import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { register } from '../../spec/register.ts';
import type { Baseline, KnownViolation } from '../../suites/model/baseline.ts';
import type { RunRecord } from '../../suites/model/record.ts';
import { fileTrouble } from '../../words/file-trouble.ts';
import { nearest } from '../../words/nearest.ts';
import { UserError } from '../../words/user-error.ts';
import { jsonText } from '../json.ts';

const SCHEMA = new URL('../schema/baseline.schema.json', import.meta.url);

/** How long a new entry is accepted, in days. */
const NEW_ENTRY_DAYS = 90;
const DAY_MS = 86_400_000;

/**
 * Reads a baseline.
 * @throws {UserError} when the file cannot be read, breaks its schema, names an unknown id or one id twice.
 */
export function readBaseline(path: string): Baseline {
  const value = parsed(path);
  const isBaseline = contract();
  if (!isBaseline(value)) {
    const [first] = isBaseline.errors ?? [];
    const where =
      first === undefined ? '' : `: ${first.instancePath || 'the file'} ${first.message ?? 'is invalid'}`;
    throw new UserError(`${path} is not a baseline${where}.`);
  }
  const seen = new Set<string>();
  for (const { id } of value.violations) {
    if (!ids.includes(id)) throw new UserError(`${path} names ${unknownText(id)}`);
    if (seen.has(id)) throw new UserError(`${path} names ${id} twice.`);
    seen.add(id);
  }
  return value;
}

const ids: readonly string[] = register
  .filter(({ judged, level }) => judged === 'by certify' && level !== 'OBSERVE')
  .map(({ id }) => id);

function unknownText(id: string): string {
  const meant = nearest(id, ids);
  return `"${id}", which is no requirement that can fail.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

function contract() {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv);
  return ajv.compile<Baseline>(JSON.parse(readFileSync(SCHEMA, 'utf8')));
}

function parsed(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(`The baseline ${path} cannot be read: ${fileTrouble(error)}.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError(`The baseline ${path} is not JSON.`);
  }
}

/**
 * The baseline of a record: an entry for each violation. Entries that an earlier baseline has stay as they are, also
 * those of requirements that this run left undecided; what no longer fails is removed. Pure.
 */
export function baselineOf(record: RunRecord, before: Baseline = { violations: [] }): Baseline {
  const expires = new Date(Date.parse(record.startedAt) + NEW_ENTRY_DAYS * DAY_MS).toISOString().slice(0, 10);
  const violations = record.requirements.flatMap(({ id, verdict }): readonly KnownViolation[] => {
    const entry = before.violations.find((one) => one.id === id);
    if (verdict === 'fail') return [entry ?? { id, ...TO_BE_STATED, expires }];
    return entry === undefined || verdict === 'pass' || verdict === 'warn' ? [] : [entry];
  });
  return { violations };
}

/** A person has to state them. */
const TO_BE_STATED = { reason: 'not stated yet', owner: 'not stated yet' } as const;

/** A baseline as the text of its file. */
export const baselineText = ({ violations }: Baseline): string =>
  jsonText({ baselineVersion: 1, violations });
