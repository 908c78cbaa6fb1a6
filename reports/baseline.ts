import { existsSync, writeFileSync } from 'node:fs';
import { UserError } from '../kernel/basics/errors.ts';
import { about, closed, exactly, listOf, maybe, object, text } from '../kernel/basics/shape.ts';
import { countOf, didYouMean } from '../kernel/basics/text.ts';
import { fileTrouble } from '../kernel/basics/user-files.ts';
import { leavesOutcomeOpen } from '../kernel/findings/finding.ts';
import type { Baseline } from '../kernel/findings/gate.ts';
import { gateOf } from '../kernel/findings/gate.ts';
import type { BaselineCheck, KnownViolation, RunRecord } from '../kernel/findings/record.ts';
import { knownViolation } from '../kernel/findings/record.ts';
import { isThreshold, loadRegister, register } from '../spec/register.ts';
import { jsonText } from './files.ts';
import { readContract } from './read.ts';

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

/** @throws {UserError} when the file cannot be read, breaks its schema, names an unknown id or one id twice. */
export function readBaseline(path: string): Baseline {
  const baseline = readContract(path, {
    fileName: 'baseline.json',
    shape: baselineFile,
    what: 'a baseline',
    advice: 'Write one from a run with --baseline-write, or with the option baselineWrite.',
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
function baselineOf(record: RunRecord, before: Baseline): Baseline {
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

/** What a comparison with a baseline found, a sentence each; empty where the run had none. */
export function baselineSentences(record: RunRecord): readonly string[] {
  const { baseline } = record;
  if (baseline === undefined) return [];
  const { known, unknown, expired, stale, undecided } = baseline;
  const open = openIn(record);
  const lines = [
    ...listed(known, countOf(known.length, 'known violation')),
    ...listed(unknown, `${countOf(unknown.length, 'violation')} not in the baseline`),
    ...listed(
      expired.map(({ id, expires }) => `${id} (${expires})`),
      `${countOf(expired.length, 'entry', 'entries')} of the baseline expired`,
    ),
    ...listed(
      stale,
      `${countOf(stale.length, 'entry of the baseline is', 'entries of the baseline are')} stale, because the requirement no longer fails`,
      ` Remove ${stale.length === 1 ? 'it' : 'them'}.`,
    ),
    ...listed(
      undecided,
      `${countOf(undecided.length, 'entry of the baseline was', 'entries of the baseline were')} not decided by this run`,
    ),
    ...listed(
      open,
      `The run is incomplete nevertheless, because ${countOf(open.length, 'MUST requirement is', 'MUST requirements are')} inconclusive`,
    ),
  ];
  return lines.length === 0 ? ['The baseline is empty, and nothing failed.'] : lines;
}

/** A sentence that ends with a list; none where the list is empty. */
const listed = (items: readonly string[], start: string, further = ''): readonly string[] =>
  items.length === 0 ? [] : [`${start}: ${items.join(', ')}.${further}`];

/** Why a run does not pass although every violation is known; none where it passes, or fails. */
const openIn = (record: RunRecord): readonly string[] =>
  record.outcome === 'violates' && gateOf(record) === 'incomplete'
    ? record.requirements.filter(leavesOutcomeOpen).map(({ id }) => id)
    : [];

/** How the violations of a record stand to its baseline, as the end of the sentence that counts them. */
export function knownText({ unknown, expired, known }: BaselineCheck): string {
  const others = unknown.length + expired.length;
  if (others === 0) return known.length === 1 ? ', which is known' : ', all of them known';
  return known.length === 0
    ? ', and none of them is known'
    : `, and ${others} of them ${others === 1 ? 'is' : 'are'} not known`;
}

/**
 * Writes the violations of a record as a baseline. Where the file exists, its entries keep their reason, owner and
 * expiry, and those that no longer fail are removed.
 * @returns a sentence that names what changed.
 * @throws {UserError} when the file exists and is no baseline, or cannot be written.
 */
export function writeBaseline(record: RunRecord, path: string): string {
  const before = existsSync(path) ? readBaseline(path) : { violations: [] };
  const after = baselineOf(record, before);
  try {
    writeFileSync(path, jsonText({ baselineVersion: 1, ...after }));
  } catch (error) {
    throw new UserError(`The baseline ${path} cannot be written: ${fileTrouble(error)}.`);
  }
  const idsBefore = before.violations.map(({ id }) => id);
  const ids = after.violations.map(({ id }) => id);
  const added = ids.filter((id) => !idsBefore.includes(id));
  const removed = idsBefore.filter((id) => !ids.includes(id));
  const changes = [
    added.length === 0 ? '' : ` Added: ${added.join(', ')}; state a reason and an owner for each.`,
    removed.length === 0 ? '' : ` Removed, because it no longer fails: ${removed.join(', ')}.`,
  ].join('');
  return `Baseline: ${path} (${countOf(ids.length, 'known violation')}).${changes}`;
}
