import { join } from 'node:path';
import type { AttestedReport, AttestedRun, JudgedAgain } from '../../attestation/attested-run.ts';
import { RUN_WORDS } from '../../attestation/attested-run.ts';
import { missingNumbers } from '../../attestation/numbering.ts';
import { loadSpecification } from '../../spec/specification.ts';
import type { RunRecord } from '../../suites/index.ts';
import { judge, readJournal } from '../../suites/index.ts';
import { jsonFields } from '../../words/json.ts';
import { digestsIn, fieldsIn, textOf } from './files.ts';
import { differenceProblems, verdictsIn } from './verdicts-in.ts';

/** The run of `certify` or of `certify-client` in a folder. @throws {JournalError} when its journal cannot be read. */
export function certificationRun(folder: string, kind: 'certify' | 'certify-client'): AttestedRun {
  const words = RUN_WORDS[kind];
  const fields = fieldsIn(join(folder, words.report));
  return {
    kind,
    digests: digestsIn(folder, words.files),
    report: reportOf(fields),
    judgeAgain: async (): Promise<JudgedAgain> => {
      const path = join(folder, 'journal.ndjson');
      const again = await judged(path, kind, fields['strict'] === true);
      return {
        report: attested(again),
        contradictions: [
          ...missingProblems(textOf(path, 'The journal')),
          ...differenceProblems(fields, again, comparable, words.evidenceGives),
        ],
      };
    },
  };
}

async function judged(path: string, kind: 'certify' | 'certify-client', strict: boolean): Promise<RunRecord> {
  const specification = await loadSpecification();
  if (kind === 'certify') return judge(readJournal(path), specification, { strict });
  const { readClientJournal } = await import('../../clients/run/journal-reader.ts');
  const { judgeClient } = await import('../../clients/judging/index.ts');
  return judgeClient(readClientJournal(path), specification, { strict });
}

const attested = ({ suite, spec, outcome, requirements }: RunRecord): AttestedReport => ({
  suiteVersion: suite.version,
  specification: spec,
  outcome,
  requirements,
});

function reportOf(fields: Readonly<Record<string, unknown>>): AttestedReport | undefined {
  const { version } = jsonFields(fields['suite']);
  const { version: specified, digest } = jsonFields(fields['spec']);
  const { outcome } = fields;
  const requirements = verdictsIn(fields['requirements']);
  if (typeof version !== 'string' || requirements === undefined) return undefined;
  if (typeof specified !== 'string' || typeof digest !== 'string') return undefined;
  if (outcome !== 'conforms' && outcome !== 'violates' && outcome !== 'incomplete') return undefined;
  return { suiteVersion: version, specification: { version: specified, digest }, outcome, requirements };
}

/** The journal does not hold a baseline, and sentences of their own are about the specification and the verdicts. */
function comparable(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { baseline: _, spec: _spec, outcome: _outcome, requirements, ...others } = record;
  const findings = Array.isArray(requirements) ? requirements : [];
  return {
    ...others,
    requirements: findings.map((one) => {
      const { known: _known, verdict: _verdict, ...finding } = jsonFields(one);
      return finding;
    }),
  };
}

/** Exchanges are numbered, so that a removed one shows. */
function missingProblems(journal: string): readonly string[] {
  const missing = missingNumbers(journal);
  if (missing.length === 0) return [];
  const one = missing.length === 1;
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  return [
    `${one ? 'Exchange' : 'Exchanges'} ${missing.slice(0, MOST_NAMED).join(', ')}${more} of the journal ${one ? 'is' : 'are'} missing.`,
  ];
}

const MOST_NAMED = 5;
