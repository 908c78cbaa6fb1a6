import type { RunRecord } from '../../../kernel/findings/record.ts';
import { prepareRunFolder } from '../../../reports/run-folder.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';
import { LostRunError, WrongTargetError } from '../../../suites/service/run/record-run.ts';
import { FLAGS } from '../../options/command-line.ts';
import type { Steps } from '../run.ts';
import { withAccess } from '../subject.ts';
import type { RecordedCertification } from './judge-certification.ts';
import { judgeCertification } from './judge-certification.ts';
import { previewLines } from './preview.ts';
import type { CertifySettings } from './settings.ts';
import { checkUnusedDay, dayUsageBefore, withInjectedFault } from './settings.ts';

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
    const fault = subject.kind === 'bundled' ? subject.behaviour.fault : undefined;
    const completed = (record: RunRecord): RunRecord =>
      fault === undefined ? record : withInjectedFault(record, fault, run.plan.inputs);
    yield { ...settled, journal, lost, completed };
  },
  judge: async (recorded) => [await judgeCertification(recorded)],
};

/** The error of a lost run whose journal can be judged. The record of a wrong target says the same as its error. */
function lostOf(error: unknown): LostRunError | undefined {
  if (error instanceof WrongTargetError) return undefined;
  if (error instanceof LostRunError && error.judgeable) return error;
  throw error;
}
