import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { fileTrouble, readUserFile } from '../../../kernel/basics/user-files.ts';
import type { ListedRow } from '../../../reports/matrix.ts';
import { momentOf } from '../../../reports/outcome.ts';
import type { JudgedAgain } from '../../certificate/attested-run.ts';
import { besidesOf, shortcomingsOf } from '../../certificate/attested-run.ts';
import { isSignedBy, publicKey, statementIn } from '../../certificate/envelope.ts';
import type { Statement } from '../../certificate/statement.ts';
import { dayText, momentIn } from '../../certificate/statement.ts';
import type { Presented, Verification } from '../../certificate/verify.ts';
import { verify } from '../../certificate/verify.ts';
import { comparisonIn, envelopeIn } from '../certificate/presented.ts';

/** The public keys in a folder: its files `*.pem`. @throws {UserError} where there is none, or one cannot be used. */
export function keysIn(folder: string): Presented['keys'] {
  const names = filesOf(folder).filter((name) => name.endsWith('.pem'));
  if (names.length === 0)
    throw new UserError(
      `${folder} has no public key: put the PEM file of each key that may sign (*.pem) there.`,
    );
  return names.map((name) => {
    const path = join(folder, name);
    return {
      name: name.replace(/(?:\.pub)?\.pem$/, ''),
      key: publicKey(readUserFile(path, 'The key'), path),
    };
  });
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    throw new UserError(`The folder of keys ${folder} cannot be read: ${fileTrouble(error)}.`);
  }
}

/** The row of one folder, whatever it holds: a folder that cannot be judged is a row that says so. */
export async function rowOfFolder(name: string, folder: string, keys: Presented['keys']): Promise<ListedRow> {
  try {
    const envelope = envelopeIn(folder);
    const signers = keys.filter(({ key }) => isSignedBy(envelope, key));
    if (signers.length === 0) return notChecked(name, 'No key of this listing signed it.');
    const comparison = await comparisonIn(folder, statementIn(envelope));
    if (comparison.run.kind === 'load')
      return notChecked(name, 'It is of a load run, which has no level of conformance.');
    const found = await verify({ ...comparison, envelope, keys: signers });
    return rowOf(
      name,
      found,
      signers.map((one) => one.name),
      comparison.now,
    );
  } catch (error) {
    return notChecked(name, error instanceof UserError ? error.message : 'The folder cannot be judged.');
  }
}

export function rowOf(name: string, found: Verification, signers: readonly string[], now: Date): ListedRow {
  if (found.kind === 'false') return { name, result: 'fail', words: 'not true', notes: found.sentences };
  if (found.kind === 'no verdict') return notChecked(name, found.sentence);
  const { statement, judged } = found;
  const row = { name, certified: certificateOf(statement, judged, signers) };
  if (found.kind === 'changed')
    return { ...row, result: 'inconclusive', words: 'verdict changed', notes: [found.sentence] };
  const shortcomings = [...endedOf(judged, now), ...shortcomingsOf(judged.certified, judged.report)];
  const notes = [...shortcomings, ...besidesOf(judged)];
  if (shortcomings.length === 0) return { ...row, result: 'pass', words: judged.certified.words, notes };
  const result = judged.report.outcome === 'violates' ? 'fail' : 'inconclusive';
  return { ...row, result, words: 'does not certify', notes };
}

const notChecked = (name: string, because: string): ListedRow => ({
  name,
  result: 'inconclusive',
  words: 'not checked',
  notes: [because],
});

/** How long a mark lasts after its run, whatever its certificate says (`docs/mark.md`). */
const YEAR_MS = 365 * 86_400_000;
const NEVER = new Date(0);

/** When the mark of a run ends at the latest; a run without a date has none. */
function endOf({ startedAt }: JudgedAgain['certified']): Date {
  const started = Date.parse(startedAt);
  return Number.isNaN(started) ? NEVER : new Date(started + YEAR_MS);
}

function endedOf({ certified }: JudgedAgain, now: Date): readonly string[] {
  const ends = endOf(certified);
  return now < ends ? [] : [`A mark lasts for a year after the run, and this one ended on ${dayText(ends)}.`];
}

function certificateOf(
  statement: Statement,
  { certified, report }: JudgedAgain,
  signers: readonly string[],
): ListedRow['certified'] {
  const expires = momentIn(statement, 'expiresAt') ?? NEVER;
  const ends = endOf(certified);
  return {
    product: certified.product ?? {},
    tested: certified.subject,
    suite: report.suite.version,
    run: momentOf(certified.startedAt).slice(0, 10),
    expires: dayText(expires < ends ? expires : ends),
    signers,
  };
}
