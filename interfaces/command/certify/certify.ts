import { UserError } from '../../../kernel/basics/errors.ts';
import { prepareRunFolder } from '../../../reports/run-folder.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';
import { LostRunError, WrongTargetError } from '../../../suites/service/run/record-run.ts';
import { FLAGS } from '../../options/command-line.ts';
import type { Steps } from '../run.ts';
import { withAccess } from '../subject.ts';
import { previewLines } from './preview.ts';
import type { CertifySettings } from './settings.ts';
import { checkUnusedDay, dayUsageBefore, withInjectedFault } from './settings.ts';

interface RecordedCertification extends CertifySettings {
  readonly journal: string;
  /** The target stopped responding. */
  readonly lost: LostRunError | undefined;
}

export const certification: Steps<CertifySettings, string, RecordedCertification, JournalLine> = {
  preview: (settled) => previewLines(settled, dayUsageBefore(settled, Date.now())),
  checkDryRun: (settled) => checkUnusedDay(settled, Date.now()),
  admit(settled, { report }) {
    checkUnusedDay(settled, Date.now());
    return prepareRunFolder({ path: settled.folder, report });
  },
  async *record(settled, journal, around) {
    const { recordService } = await import('../../run/service.ts');
    const { subject, plans, run } = settled;
    const lost = await withAccess(subject, plans, run.plan.inputs.plan, (target) =>
      recordService({ target, run, names: FLAGS }, journal, around),
    ).then(() => undefined, lostOf);
    yield { ...settled, journal, lost };
  },
  async judge(recorded) {
    const { judgeJournal } = await import('../../../suites/service/judge-journal.ts');
    const { subject, run, journal, folder, lost } = recorded;
    const found = await judgeJournal(journal, recorded);
    const fault = subject.kind === 'bundled' ? subject.behaviour.fault : undefined;
    const record = fault === undefined ? found : withInjectedFault(found, fault, run.plan.inputs);
    if (lost === undefined) return [{ record, folder, journal }];
    const error = new UserError(`${lost.message} The reports in ${folder} cover the exchanges before that.`);
    return [{ record, folder, journal, failure: { error, unseen: true } }];
  },
};

/** The error of a lost run whose journal can be judged. The record of a wrong target says the same as its error. */
function lostOf(error: unknown): LostRunError | undefined {
  if (error instanceof WrongTargetError) return undefined;
  if (error instanceof LostRunError && error.judgeable) return error;
  throw error;
}
