import type { KeyObject } from 'node:crypto';
import type { Envelope } from './envelope.ts';
import { isSignedBy } from './envelope.ts';
import { missingNumbers } from './numbering.ts';
import { statementIn } from './read-envelope.ts';
import type { AttestedReport, Statement } from './statement.ts';
import { ATTESTED_FILES, annotationOf, CONFIGURATION, sha256 } from './statement.ts';

/** What is presented for verification, and what it is compared with. */
export interface Presented {
  readonly envelope: Envelope;
  /** The bytes of the attested files by name; a file that is missing is absent. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** The report as it lies there; undefined where it is none. */
  readonly report: AttestedReport | undefined;
  /** The verdicts that this installation reaches from the journal. @throws where the journal cannot be judged. */
  readonly judgeAgain: () => Promise<AttestedReport>;
  /** Every one of these has to have signed. */
  readonly keys: readonly { readonly name: string; readonly key: KeyObject }[];
  /** This installation. */
  readonly suiteVersion: string;
  readonly specificationDigest: string;
  readonly now: Date;
}

/** What a verification found: each sentence is one contradiction, or why there is no verdict. */
export type Verification =
  | { readonly kind: 'true'; readonly statement: Statement }
  | { readonly kind: 'false'; readonly sentences: readonly [string, ...string[]] }
  | { readonly kind: 'no verdict'; readonly sentence: string };

/** Verifies an attestation: its signatures, its digests, its date, and the verdicts by judging the journal again. */
export async function verify(presented: Presented): Promise<Verification> {
  const unsigned = signatureProblems(presented);
  if (unsigned !== undefined) return unsigned;
  const statement = statementIn(presented.envelope);
  if (statement === undefined) {
    return contradicted([
      'What was signed is not a statement about a test result (in-toto, test-result v0.1).',
    ]);
  }
  const changed = [...digestProblems(statement, presented), ...dateProblems(statement, presented)];
  if (isNonEmpty(changed)) return contradicted(changed);
  return judgedAgain(statement, presented);
}

function signatureProblems({ envelope, keys }: Presented): Verification | undefined {
  if (envelope.signatures.length === 0) return contradicted(['The attestation carries no signature.']);
  const missing = keys.filter(({ key }) => !isSignedBy(envelope, key));
  const sentences = missing.map(
    ({ name }) =>
      `No signature is valid for the key in ${name}: it was signed with another key, or the statement was changed afterwards.`,
  );
  return isNonEmpty(sentences) ? contradicted(sentences) : undefined;
}

function digestProblems({ subject }: Statement, { files }: Presented): readonly string[] {
  return ATTESTED_FILES.flatMap((name) => {
    const attested = subject.find((one) => one.name === name)?.digest?.sha256;
    const bytes = files[name];
    if (attested === undefined) return [`The attestation does not cover ${name}.`];
    if (bytes === undefined) return [`${name} is missing.`];
    return sha256(bytes) === attested ? [] : [`${name} was changed after it was signed: its digest differs.`];
  });
}

function dateProblems(statement: Statement, { now }: Presented): readonly string[] {
  const expiresAt = annotationOf(statement, 'validity', 'expiresAt') ?? '';
  const expires = Date.parse(expiresAt);
  if (Number.isNaN(expires)) return ['The attestation does not state until when it is valid.'];
  return now.getTime() <= expires ? [] : [`The attestation expired on ${expiresAt.slice(0, 10)}.`];
}

async function judgedAgain(statement: Statement, presented: Presented): Promise<Verification> {
  const { report, suiteVersion } = presented;
  if (report === undefined) return contradicted(['report.json is not a report of this program.']);
  const version = annotationOf(statement, 'suite', 'version') ?? 'unknown';
  if (version !== suiteVersion || report.suite.version !== suiteVersion) {
    return {
      kind: 'no verdict',
      sentence: `The signature and the digests are valid. The run was judged by version ${version} of the suite, and this is ${suiteVersion}: verify with that version (npx petstore-conformance@${version} verify).`,
    };
  }
  const problems = [
    ...specificationProblems(statement, presented),
    ...journalProblems(presented),
    ...verdictProblems(statement, report, await presented.judgeAgain()),
  ];
  return isNonEmpty(problems) ? contradicted(problems) : { kind: 'true', statement };
}

function specificationProblems({ predicate }: Statement, presented: Presented): readonly string[] {
  const { report, specificationDigest } = presented;
  const attested = predicate.configuration.find(({ name }) => name === CONFIGURATION.specification)?.digest;
  const digests = [`sha256:${attested?.sha256 ?? ''}`, report?.spec.digest];
  return digests.every((digest) => digest === specificationDigest)
    ? []
    : [`The run was judged by another specification than that of this version (${specificationDigest}).`];
}

function journalProblems({ files }: Presented): readonly string[] {
  const missing = missingNumbers(Buffer.from(files['journal.ndjson'] ?? []).toString('utf8'));
  if (missing.length === 0) return [];
  const which = missing.length === 1 ? 'Exchange' : 'Exchanges';
  return [
    `${which} ${missing.slice(0, 5).join(', ')} of the journal ${missing.length === 1 ? 'is' : 'are'} missing.`,
  ];
}

function verdictProblems(
  { predicate }: Statement,
  report: AttestedReport,
  again: AttestedReport,
): readonly string[] {
  const verdicts = new Map(again.requirements.map(({ id, verdict }) => [id, verdict]));
  const edited = report.requirements
    .filter(({ id, verdict }) => verdicts.get(id) !== verdict)
    .map(
      ({ id, verdict }) =>
        `${id} stands as "${verdict}" in the report, but the journal gives "${verdicts.get(id) ?? 'nothing'}".`,
    );
  const outcome =
    report.outcome === again.outcome
      ? []
      : [
          `The outcome stands as "${report.outcome}" in the report, but the journal gives "${again.outcome}".`,
        ];
  const attested = [...predicate.failedTests].sort().join();
  const failed = again.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id as string);
  const signedOtherwise =
    attested === failed.sort().join()
      ? []
      : ['The signed statement names other failures than the journal gives.'];
  return [...edited, ...outcome, ...signedOtherwise];
}

const contradicted = (sentences: readonly [string, ...string[]]): Verification => ({
  kind: 'false',
  sentences,
});

const isNonEmpty = (sentences: readonly string[]): sentences is readonly [string, ...string[]] =>
  sentences.length > 0;
