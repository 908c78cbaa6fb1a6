import { createHash } from 'node:crypto';

/** A file or a document by its digest (in-toto ResourceDescriptor v1). */
export interface Resource {
  readonly name: string;
  /** Lower-case hexadecimal digits. */
  readonly digest?: { readonly sha256: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * What an attestation states: an in-toto Statement v1 with the predicate "test result" v0.1. Subjects are the journal
 * and the report; the configuration names the specification, the suite and how long the statement is valid.
 */
export interface Statement {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly Resource[];
  readonly predicateType: typeof PREDICATE_TYPE;
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED' | 'FAILED';
    readonly configuration: readonly Resource[];
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
  };
}

/** https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md */
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md */
export const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';

/** The configuration that names the specification, the suite, and how long a statement is valid. */
export const CONFIGURATION = {
  specification: 'interface-specification',
  suite: 'petstore-conformance',
  validity: 'validity',
} as const;

/** The files that an attestation is about, in the folder of a run. */
export const ATTESTED_FILES = ['journal.ndjson', 'report.json'] as const;

/** What an attestation needs of a report. */
export interface AttestedReport {
  readonly suite: { readonly name: string; readonly version: string };
  readonly spec: { readonly version: string; readonly digest: string };
  readonly strict: boolean;
  readonly outcome: 'conforms' | 'violates' | 'incomplete';
  readonly requirements: readonly { readonly id: string; readonly verdict: string }[];
}

/** When a statement was signed, and until when it is valid. */
export interface Validity {
  readonly signedAt: Date;
  readonly expiresAt: Date;
}

/** The statement about a report and its files, whose bytes are given by name. */
export function statementOf(
  report: AttestedReport,
  files: Readonly<Record<string, Uint8Array>>,
  { signedAt, expiresAt }: Validity,
): Statement {
  const having = (verdict: string): readonly string[] =>
    report.requirements.filter((one) => one.verdict === verdict).map(({ id }) => id);
  return {
    _type: STATEMENT_TYPE,
    subject: Object.entries(files).map(([name, bytes]) => ({ name, digest: { sha256: sha256(bytes) } })),
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: resultOf(report),
      configuration: [
        {
          name: CONFIGURATION.specification,
          digest: { sha256: report.spec.digest.replace(/^sha256:/, '') },
          annotations: { version: report.spec.version },
        },
        { name: CONFIGURATION.suite, annotations: { version: report.suite.version } },
        {
          name: CONFIGURATION.validity,
          annotations: { signedAt: signedAt.toISOString(), expiresAt: expiresAt.toISOString() },
        },
      ],
      passedTests: having('pass'),
      warnedTests: having('warn'),
      failedTests: having('fail'),
    },
  };
}

/** An incomplete run failed: a MUST of it is undecided, so it certifies nothing. */
function resultOf({ outcome, requirements }: AttestedReport): Statement['predicate']['result'] {
  if (outcome !== 'conforms') return 'FAILED';
  return requirements.some(({ verdict }) => verdict === 'warn') ? 'WARNED' : 'PASSED';
}

/** The hexadecimal SHA-256 of these bytes. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** An annotation of a configuration; undefined where the statement has none. */
export const annotationOf = (
  { predicate }: Statement,
  configuration: keyof typeof CONFIGURATION,
  annotation: string,
): string | undefined =>
  predicate.configuration.find(({ name }) => name === CONFIGURATION[configuration])?.annotations?.[
    annotation
  ];
