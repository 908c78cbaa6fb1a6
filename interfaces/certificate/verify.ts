import type { KeyObject } from 'node:crypto';
import { quoted } from '../../kernel/basics/text.ts';
import { isNewer, setOf } from '../../spec/sets.ts';
import type { Specification } from '../../spec/specification.ts';
import type { AttestedReport, AttestedRun, JudgedAgain } from './attested-run.ts';
import { attestedNames, REPORT, RUN_WORDS } from './attested-run.ts';
import type { Envelope } from './envelope.ts';
import { isSignedBy, statementIn } from './envelope.ts';
import type { Statement } from './statement.ts';
import { annotationOf, CONFIGURATION, dayText, momentIn, resultsOf } from './statement.ts';

/**
 * Where a report and the signed statement have other verdicts than the recorded requests give, in sentences.
 * @param evidenceGives what the verdicts follow from, as the beginning of a clause.
 */
function verdictProblems(
  { predicate }: Statement,
  report: AttestedReport,
  again: AttestedReport,
  evidenceGives: string,
): readonly string[] {
  const stated = resultsOf(again);
  const { result } = predicate;
  const otherResult =
    result === stated.result
      ? []
      : [`The signed statement says ${quoted(result)}, but ${evidenceGives} "${stated.result}".`];
  const otherLists = LISTS.filter(([list]) => sorted(predicate[list]) !== sorted(stated[list])).map(
    ([, tests]) => `The signed statement names other ${tests} than ${evidenceGives}.`,
  );
  return [...editedVerdicts(report, again, evidenceGives), ...otherResult, ...otherLists];
}

const LISTS = [
  ['failedTests', 'failures'],
  ['warnedTests', 'warnings'],
  ['passedTests', 'passes'],
] as const;

function editedVerdicts(
  report: AttestedReport,
  again: AttestedReport,
  evidenceGives: string,
): readonly string[] {
  const verdicts = new Map(again.requirements.map(({ id, verdict }) => [id, verdict]));
  const known = new Set(report.requirements.map(({ id }) => id));
  const edited = report.requirements
    .filter(({ id, verdict }) => verdicts.get(id) !== verdict)
    .map(({ id, verdict }) => sentence(quotedId(id), verdict, verdicts.get(id) ?? 'nothing', evidenceGives));
  const removed = again.requirements
    .filter(({ id }) => !known.has(id))
    .map(({ id, verdict }) => `The report leaves out ${id}, for which ${evidenceGives} "${verdict}".`);
  const outcome =
    report.outcome === again.outcome
      ? []
      : [sentence('The outcome', report.outcome, again.outcome, evidenceGives)];
  return [...edited, ...removed, ...outcome];
}

const sentence = (what: string, stated: string, found: string, evidenceGives: string): string =>
  `${what} is ${quoted(stated)} in the report, but ${evidenceGives} "${found}".`;

/** An id as it is, and other text as the foreign text that it is. */
const quotedId = (id: string): string => (/^[A-Z0-9-]{1,20}$/.test(id) ? id : quoted(id));

const sorted = (ids: readonly string[]): string => [...ids].sort().join();

/** What a statement is compared with: the run in a folder, this installation, and the time. */
export interface Comparison {
  readonly run: AttestedRun;
  /** This installation. */
  readonly suiteVersion: string;
  readonly specification: Specification;
  readonly now: Date;
}

export interface Presented extends Comparison {
  readonly envelope: Envelope;
  /** Every one of these has to have signed. */
  readonly keys: readonly { readonly name: string; readonly key: KeyObject }[];
}

/**
 * What a verification found: each sentence is one contradiction, or why there is no verdict. `changed`: another version
 * made the run, and this one finds other verdicts.
 */
export type Verification =
  | { readonly kind: 'true'; readonly statement: Statement; readonly judged: JudgedAgain }
  | { readonly kind: 'false'; readonly sentences: readonly string[] }
  | {
      readonly kind: 'changed';
      readonly statement: Statement;
      readonly judged: JudgedAgain;
      readonly sentence: string;
    }
  | { readonly kind: 'no verdict'; readonly sentence: string };

export async function verify(presented: Presented): Promise<Verification> {
  const unsigned = signatureProblems(presented);
  if (unsigned.length > 0) return contradicted(unsigned);
  const statement = statementIn(presented.envelope);
  return statement === undefined
    ? contradicted(['What was signed is not a statement about a test result (in-toto, test-result v0.1).'])
    : verifyStatement(statement, presented);
}

/** Verifies a statement, whether it is signed or about to be: its digests, its date, and the verdicts by judging the recorded requests again. */
export async function verifyStatement(statement: Statement, comparison: Comparison): Promise<Verification> {
  const changed = [
    ...nameProblems(statement),
    ...kindProblems(statement, comparison),
    ...digestProblems(statement, comparison),
    ...dateProblems(statement, comparison),
  ];
  return changed.length > 0 ? contradicted(changed) : judgedAgain(statement, comparison);
}

function signatureProblems({ envelope, keys }: Presented): readonly string[] {
  if (envelope.signatures.length === 0) return ['The attestation carries no signature.'];
  const missing = keys.filter(({ key }) => !isSignedBy(envelope, key));
  return missing.map(
    ({ name }) =>
      `No signature is valid for the key in ${name}: it was signed with another key, or the statement was changed afterwards.`,
  );
}

/** Of two entries with one name, every reader might take another. */
function nameProblems({ subject, predicate }: Statement): readonly string[] {
  return [subject, predicate.configuration].flatMap((list) => {
    const names = list.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    return twice === undefined ? [] : [`The attestation names ${quoted(twice)} twice.`];
  });
}

function kindProblems(statement: Statement, { run }: Comparison): readonly string[] {
  const stated = annotationOf(statement, 'suite', 'command');
  if (stated === run.kind) return [];
  return stated === undefined
    ? ['The attestation does not state which command made the run.']
    : [`The attestation is about a run of ${quoted(stated)}, and the folder holds a run of ${run.kind}.`];
}

function digestProblems({ subject }: Statement, { run }: Comparison): readonly string[] {
  const attested = new Map(subject.map(({ name, digest }) => [name, digest?.['sha256']]));
  const { files: needed, pages } = RUN_WORDS[run.kind];
  const known = attestedNames(run.kind);
  const names = new Set([...needed, ...attested.keys(), ...Object.keys(run.digests)]);
  return [...names].flatMap((name) => {
    const [stated, found] = [attested.get(name), run.digests[name]];
    // A name of an attestation is text of whoever signed it.
    const shown = known.includes(name) ? name : quoted(name);
    if (stated === undefined && needed.includes(name)) return [`The attestation does not cover ${shown}.`];
    if (stated === undefined) return [`${shown} was added after the attestation was signed.`];
    if (found === undefined) return pages.includes(name) ? [] : [`${shown} is missing.`];
    return found === stated ? [] : [`${shown} was changed after it was signed: its digest differs.`];
  });
}

/** Clocks differ, and so do days. */
const DAY_MS = 86_400_000;

function dateProblems(statement: Statement, { now }: Comparison): readonly string[] {
  const expires = momentIn(statement, 'expiresAt');
  const signed = momentIn(statement, 'signedAt');
  if (expires === undefined) return ['The attestation does not state until when it is valid.'];
  if (now > expires) return [`The attestation expired on ${dayText(expires)}.`];
  const isAhead = signed !== undefined && signed.getTime() > now.getTime() + DAY_MS;
  return isAhead ? [`The attestation was signed on ${dayText(signed)}, which is still to come.`] : [];
}

async function judgedAgain(statement: Statement, comparison: Comparison): Promise<Verification> {
  const { run, suiteVersion, specification, now } = comparison;
  const { report, kind } = run;
  if (report === undefined) return contradicted([`${REPORT} is not a report of this program.`]);
  const stated = [annotationOf(statement, 'suite', 'version') ?? 'unknown', report.suite.version];
  const other = stated.find((one) => one !== suiteVersion);
  if (other !== undefined && !isEarlier(other, suiteVersion, kind))
    return {
      kind: 'no verdict',
      sentence: `The digests are valid. The run was judged by version ${isVersion(other) ? other : 'unknown'} of the suite, and this is ${suiteVersion}: use that version.`,
    };
  const judged = await run.judgeAgain(other === undefined ? undefined : setOf(other));
  const verdicts = verdictProblems(statement, report, judged.report, RUN_WORDS[kind].evidenceGives);
  const problems = [
    ...(other === undefined
      ? specificationProblems(statement, report, specification)
      : earlierProblems(statement, report, judged.report, specification)),
    ...startProblems(statement, judged, now),
    ...judged.contradictions,
    ...(other === undefined ? verdicts : []),
  ];
  if (problems.length > 0) return contradicted(problems);
  if (verdicts.length === 0) return { kind: 'true', statement, judged };
  const sentence = `The digests are valid. Version ${other} of the suite judged the run, and version ${suiteVersion} judges otherwise: ${verdicts.join(' ')}`;
  return { kind: 'changed', statement, judged, sentence };
}

const isVersion = (text: string): boolean => /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(text);

/** Whether this version judges the run of another one, under the set that it scores. */
const isEarlier = (version: string, suiteVersion: string, kind: AttestedRun['kind']): boolean =>
  kind !== 'load' && isVersion(version) && !isNewer(version, suiteVersion);

/** The digest of a specification covers the register, so that of another version is the one in its journal. */
function earlierProblems(
  statement: Statement,
  report: AttestedReport,
  judged: AttestedReport,
  specification: Specification,
): readonly string[] {
  const stated = annotationOf(statement, 'suite', 'version');
  return [
    ...([report, judged].every(({ suite }) => suite.version === stated)
      ? []
      : ['The attestation, the report and the journal name different versions of the suite.']),
    ...specificationProblems(statement, report, judged.spec),
    ...(report.spec.version === specification.version
      ? []
      : [`The run was judged by another version of the specification than ${specification.version}.`]),
  ];
}

/** What is counted from the day of a run, such as how long a mark lasts, would never end. A run that is still to come cannot be signed. */
function startProblems(statement: Statement, { certified }: JudgedAgain, now: Date): readonly string[] {
  const started = new Date(certified.startedAt);
  const signed = momentIn(statement, 'signedAt');
  if (started.getTime() > now.getTime() + DAY_MS)
    return [`The run began on ${dayText(started)}, which is still to come.`];
  return signed !== undefined && started.getTime() > signed.getTime() + DAY_MS
    ? [`The run began on ${dayText(started)}, after the attestation was signed on ${dayText(signed)}.`]
    : [];
}

function specificationProblems(
  { predicate }: Statement,
  report: AttestedReport,
  own: Specification,
): readonly string[] {
  const attested = predicate.configuration.find(({ name }) => name === CONFIGURATION.specification);
  const stated = {
    version: attested?.annotations?.['version'],
    digest: `sha256:${attested?.digest?.['sha256']}`,
  };
  return [stated, report.spec].every(
    ({ version, digest }) => version === own.version && digest === own.digest,
  )
    ? []
    : [`The run was judged by another specification than ${own.version} (${own.digest}).`];
}

const contradicted = (sentences: readonly string[]): Verification => ({ kind: 'false', sentences });
