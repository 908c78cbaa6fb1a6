import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jsonFields } from '../../../kernel/basics/json.ts';
import { shortened } from '../../../kernel/basics/text.ts';
import { underSet } from '../../../kernel/findings/levels.ts';
import type { RunRecord, ServiceRecord } from '../../../kernel/findings/record.ts';
import { outcomeSign } from '../../../reports/outcome.ts';
import { JOURNAL } from '../../../reports/run-folder.ts';
import { testedText } from '../../../reports/subject.ts';
import type { ScoredSet } from '../../../spec/sets.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { journalHead } from '../../../suites/client/run/journal-reader.ts';
import { judge } from '../../../suites/service/judge/judge.ts';
import type { RunLine } from '../../../suites/service/model/journal.ts';
import { readJournal } from '../../../suites/service/wire/journal.ts';
import type { AttestedRun, Certified, JudgedAgain, RunKind } from '../../certificate/attested-run.ts';
import { attestedNames, REPORT, RUN_WORDS } from '../../certificate/attested-run.ts';
import { watchedServiceRecord } from '../clients/judge-client.ts';
import { ambiguityIn, digestsIn, fieldsIn, fieldsOrNone, journalLines } from './files.ts';
import type { Fields } from './verdicts-in.ts';
import {
  dateProblems,
  differenceProblems,
  eachWithout,
  pageProblems,
  statedReport,
  without,
} from './verdicts-in.ts';

const SERVICE_REPORT = join('service', 'report.json');

/** The run of `certify` or of `certify-client` in a folder. @throws {JournalError} when its journal cannot be read. */
export function certificationRun(folder: string, kind: 'certify' | 'certify-client'): AttestedRun {
  const { evidenceGives } = RUN_WORDS[kind];
  const fields = fieldsIn(join(folder, REPORT));
  return {
    kind,
    digests: digestsIn(folder, attestedNames(kind)),
    report: statedReport(fields),
    judgeAgain: async (earlier): Promise<JudgedAgain> => {
      const { record, service, certified, dates } = await judged(folder, kind, fields['strict'] === true);
      const contradictions = [...(await ambiguityIn(JOURNAL, [journalLines(folder)])), ...dates];
      if (earlier !== undefined) return judgedEarlier(record, certified, contradictions, earlier);
      return {
        report: record,
        certified,
        contradictions: [
          ...contradictions,
          ...differenceProblems('The report', fields, asIn(fields, record), comparable, evidenceGives),
          ...pageProblems(folder, '.'),
          ...serviceProblems(folder, service),
        ],
      };
    },
  };
}

/** What this version finds in the run of another one, under the set that the other one scores. */
function judgedEarlier(
  record: RunRecord,
  certified: Certified,
  contradictions: readonly string[],
  set: ScoredSet,
): JudgedAgain {
  const then = underSet(record, set);
  const besides = record.requirements.filter(
    ({ id, verdict }) => !set.requirements.has(id) && (verdict === 'fail' || verdict === 'warn'),
  );
  return {
    report: then,
    certified: { ...certified, words: outcomeSign(then).word },
    contradictions,
    earlier: { set: set.version, besides },
  };
}

/** What the journal of a run gives; of a watched client also what it shows of the service behind it. */
async function judged(folder: string, kind: 'certify' | 'certify-client', strict: boolean) {
  const specification = await loadSpecification();
  const journal = join(folder, JOURNAL);
  if (kind === 'certify') {
    const contents = readJournal(journal);
    const [run] = contents.lines;
    const sent = contents.lines.flatMap((line) => (line.kind === 'exchange' ? [line.sent.wall] : []));
    const record = judge(contents, specification, { strict });
    const certified = certifiedOf(record, run?.kind === 'run' ? run : undefined);
    return { record, certified, dates: dateProblems(record, sent) };
  }
  const { readClientJournal } = await import('../../../suites/client/run/journal-reader.ts');
  const { judgeClient } = await import('../../../suites/client/judging/judge-client.ts');
  const contents = readClientJournal(journal);
  const record = judgeClient(contents, specification, { strict });
  const arrived = contents.lines.flatMap((line) => (line.kind === 'arrival' ? [line.at.wall] : []));
  return {
    record,
    service: watchedServiceRecord(contents.lines, specification, strict),
    certified: certifiedOf(record, undefined),
    dates: dateProblems(record, arrived, record.client.kind !== 'command'),
  };
}

const certifiedOf = (record: RunRecord, run: RunLine | undefined): Certified => ({
  subject: testedText(record),
  plan: run === undefined ? undefined : { name: run.target.plan, limits: run.limits },
  bundledServer: run?.target.bundled === true,
  words: outcomeSign(record).word,
  partial: record.selection !== undefined,
  startedAt: record.startedAt,
  product: record.product,
});

/** Where the report of a service that a client was watched with differs from what the journal gives. */
function serviceProblems(folder: string, again: ServiceRecord | undefined): readonly string[] {
  if (!existsSync(join(folder, SERVICE_REPORT))) return [];
  if (again === undefined) {
    return [`The folder holds ${SERVICE_REPORT}, but the journal is not that of a watched client.`];
  }
  const fields = fieldsIn(join(folder, SERVICE_REPORT));
  return [
    ...differenceProblems(SERVICE_REPORT, fields, again, (record) => record, 'the journal gives'),
    ...pageProblems(folder, 'service'),
  ];
}

/** The journal does not hold a baseline, and sentences of their own are about the verdicts. */
const comparable = (record: Fields): Fields => ({
  ...without(record, ['baseline', 'outcome']),
  requirements: eachWithout(record['requirements'], ['known', 'verdict']),
});

/** The record as the version that wrote these fields had it: an earlier one did not state what a partial run answers. */
const asIn = (fields: Fields, { partial, ...record }: RunRecord): object =>
  fields['partial'] === undefined ? record : { ...record, partial };

/** What a folder says of its run; nothing of it is checked, and every text is foreign. A client has no plan. */
export type ClaimedRun = ReturnType<typeof claimedRun>;

/** What the first line of a journal, or the file of a load run, says; "not stated" where it cannot be read. */
export function claimedRun(folder: string, kind: RunKind) {
  const head =
    kind === 'load'
      ? fieldsIn(join(folder, RUN_WORDS.load.files[0]))
      : fieldsOrNone(() => journalHead(join(folder, JOURNAL)));
  const { target, limits, client, inputs, startedAt } = head;
  const { baseUrl, plan } = jsonFields(target);
  const { minuteSeconds } = jsonFields(limits ?? jsonFields(inputs)['limits']);
  const { target: watched, words } = jsonFields(client);
  return {
    subject: textOf(kind === 'certify-client' ? (watched ?? words ?? 'attached') : baseUrl),
    plan: kind === 'certify-client' ? undefined : shortened(textOf(plan)),
    window: typeof minuteSeconds === 'number' ? `${minuteSeconds} s` : 'not stated',
    startedAt: textOf(startedAt),
  };
}

const textOf = (value: unknown): string => {
  const text = Array.isArray(value) ? value.join(' ') : value;
  return typeof text === 'string' ? text : 'not stated';
};
