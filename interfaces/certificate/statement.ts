import { createHash } from 'node:crypto';
import { jsonFields } from '../../kernel/basics/json.ts';
import type { Static } from '../../kernel/basics/shape.ts';
import { exactly, listOf, mapOf, maybe, object, text } from '../../kernel/basics/shape.ts';
import type { AttestedReport, AttestedRun } from './attested-run.ts';

/** https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md */
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md */
const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';

/** A file or a document by its digest, in lower-case hexadecimal digits (in-toto ResourceDescriptor v1). */
const resource = object({ name: text, digest: maybe(mapOf(text)), annotations: maybe(mapOf(text)) });

/**
 * What an attestation states: an in-toto Statement v1 with the predicate "test result" v0.1. Subjects are the journal
 * (or the samples of a load run), the report and its page; the configuration names the specification, the suite with the command
 * that made the run, and how long the statement is valid.
 */
export const statementShape = object({
  _type: exactly(STATEMENT_TYPE),
  subject: listOf(resource),
  predicateType: exactly(PREDICATE_TYPE),
  predicate: object({
    result: text,
    configuration: listOf(resource),
    passedTests: listOf(text),
    warnedTests: listOf(text),
    failedTests: listOf(text),
  }),
});

export type Statement = Static<typeof statementShape>;

/** The configuration that names the specification, the suite, and how long a statement is valid. */
export const CONFIGURATION = {
  specification: 'interface-specification',
  suite: 'petstore-conformance',
  validity: 'validity',
} as const;

export interface Validity {
  readonly signedAt: Date;
  readonly expiresAt: Date;
}

export function statementOf(
  { kind, digests }: Pick<AttestedRun, 'kind' | 'digests'>,
  report: AttestedReport,
  { signedAt, expiresAt }: Validity,
): Statement {
  return {
    _type: STATEMENT_TYPE,
    subject: Object.entries(digests).map(([name, digest]) => ({ name, digest: { sha256: digest } })),
    predicateType: PREDICATE_TYPE,
    predicate: {
      ...resultsOf(report),
      configuration: [
        {
          name: CONFIGURATION.specification,
          digest: { sha256: report.spec.digest.replace(/^sha256:/, '') },
          annotations: { version: report.spec.version },
        },
        { name: CONFIGURATION.suite, annotations: { version: report.suite.version, command: kind } },
        {
          name: CONFIGURATION.validity,
          annotations: { signedAt: signedAt.toISOString(), expiresAt: expiresAt.toISOString() },
        },
      ],
    },
  };
}

/**
 * What a true statement claims besides what this program signs, as paths of fields. Nothing checks it. Other tools may add
 * fields, and in-toto has consumers ignore what they do not know.
 */
export function uncheckedFields(
  statement: Statement,
  kind: AttestedRun['kind'],
  report: AttestedReport,
): readonly string[] {
  const digests = Object.fromEntries(statement.subject.map(({ name }) => [name, '']));
  const validity = { signedAt: new Date(0), expiresAt: new Date(0) };
  return fieldsBesides(statement, statementOf({ kind, digests }, report, validity));
}

function fieldsBesides(stated: unknown, known: unknown, within = ''): readonly string[] {
  const fields = namedFields(known);
  return Object.entries(namedFields(stated)).flatMap(([name, value]) =>
    Object.hasOwn(fields, name)
      ? fieldsBesides(value, fields[name], `${within}${name}.`)
      : [`${within}${name}`],
  );
}

/** The fields of an object, or the entries of a list by their names. */
const namedFields = (value: unknown): Readonly<Record<string, unknown>> =>
  Array.isArray(value)
    ? Object.fromEntries(value.map((one: unknown) => [String(jsonFields(one)['name'] ?? one), one]))
    : jsonFields(value);

export function resultsOf(report: AttestedReport): Omit<Statement['predicate'], 'configuration'> {
  const having = (verdict: string): readonly string[] =>
    report.requirements.filter((one) => one.verdict === verdict).map(({ id }) => id);
  return {
    result: resultOf(report),
    passedTests: having('pass'),
    warnedTests: having('warn'),
    failedTests: having('fail'),
  };
}

/** An incomplete run failed: a MUST of it is undecided, so it certifies nothing. */
function resultOf({ outcome, requirements }: AttestedReport): 'PASSED' | 'WARNED' | 'FAILED' {
  if (outcome !== 'conforms') return 'FAILED';
  return requirements.some(({ verdict }) => verdict === 'warn') ? 'WARNED' : 'PASSED';
}

/** A moment that a statement names; undefined where it names none. The text is of whoever signed, so it is never shown. */
export function momentIn(statement: Statement, moment: keyof Validity): Date | undefined {
  const milliseconds = Date.parse(annotationOf(statement, 'validity', moment) ?? '');
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds);
}

/** `2026-11-25`, in UTC; later years have more digits. */
export const dayText = (moment: Date): string => moment.toISOString().replace(/T.*/, '');

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
