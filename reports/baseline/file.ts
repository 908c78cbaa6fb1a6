import { didYouMean } from '../../kernel/basics/nearest.ts';
import { about, closed, listOf, maybe, object } from '../../kernel/basics/shape.ts';
import { exactly, text } from '../../kernel/basics/simple-shapes.ts';
import { UserError } from '../../kernel/basics/user-error.ts';
import type { Baseline } from '../../kernel/findings/baseline.ts';
import type { KnownViolation, RunRecord } from '../../kernel/findings/record.ts';
import { knownViolation } from '../../kernel/findings/record.ts';
import { isThreshold, loadRegister, register } from '../../spec/register.ts';
import { jsonText } from '../json.ts';
import { readContract } from '../read-contract.ts';

/** A file of known violations. */
export const baselineFile = closed(
  object(
    'The violations of a target that its owner knows and accepts for a time (--baseline). Every other violation, an expired entry and an entry that no longer fails end a run with exit code 1.',
    {
      $schema: about('Address of this schema, for editors.', maybe(text)),
      baselineVersion: about('Version of this contract.', exactly(1)),
      violations: listOf(closed(knownViolation)),
    },
  ),
);

/** How long a new entry is accepted, in days. */
const NEW_ENTRY_DAYS = 90;
const DAY_MS = 86_400_000;

/**
 * Reads a baseline.
 * @throws {UserError} when the file cannot be read, breaks its schema, names an unknown id or one id twice.
 */
export function readBaseline(path: string): Baseline {
  const baseline = readContract(path, {
    fileName: 'baseline.json',
    shape: baselineFile,
    what: 'a baseline',
    advice: 'Write one from a run with --baseline-write.',
  });
  const seen = new Set<string>();
  for (const { id } of baseline.violations) {
    if (!ids.includes(id) && !isThreshold(id))
      throw new UserError(
        `${path} names "${id}", which is no requirement that can fail.${didYouMean(id, ids)}`,
      );
    if (seen.has(id)) throw new UserError(`${path} names ${id} twice.`);
    seen.add(id);
  }
  return baseline;
}

const ids: readonly string[] = [
  ...register.filter(({ judged, level }) => judged === 'by certify' && level !== 'OBSERVE'),
  ...loadRegister,
].map(({ id }) => id);

/**
 * The baseline of a record: an entry for each violation. Entries that an earlier baseline has stay as they are, also
 * those of requirements that this run left undecided or does not judge; what no longer fails is removed. Pure.
 */
export function baselineOf(record: RunRecord, before: Baseline = { violations: [] }): Baseline {
  const expires = new Date(Date.parse(record.startedAt) + NEW_ENTRY_DAYS * DAY_MS).toISOString().slice(0, 10);
  const violations = record.requirements.flatMap(({ id, verdict }): readonly KnownViolation[] => {
    const entry = before.violations.find((one) => one.id === id);
    if (verdict === 'fail') return [entry ?? { id, ...TO_BE_STATED, expires }];
    return entry === undefined || verdict === 'pass' || verdict === 'warn' ? [] : [entry];
  });
  const judged = new Set<string>(record.requirements.map(({ id }) => id));
  return { violations: [...violations, ...before.violations.filter(({ id }) => !judged.has(id))] };
}

/** A person has to state them. */
const TO_BE_STATED = { reason: 'not stated yet', owner: 'not stated yet' } as const;

/** A baseline as the text of its file. */
export const baselineText = ({ violations }: Baseline): string =>
  jsonText({ baselineVersion: 1, violations });
