import { join } from 'node:path';
import type { ServiceRecord } from '../../../kernel/findings/record.ts';
import { limitsOf, loadPlans } from '../../../spec/plans.ts';
import type { Specification } from '../../../spec/specification.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judgeClient } from '../../../suites/client/judging/judge-client.ts';
import { serviceTraffic, shownByTraffic } from '../../../suites/client/judging/service-traffic.ts';
import type { ClientJournalLine } from '../../../suites/client/model/journal.ts';
import { readClientJournal } from '../../../suites/client/run/journal-reader.ts';
import { judge } from '../../../suites/service/judge/judge.ts';
import type { Judged, Results } from '../../run/judging.ts';

export interface RecordedClient extends Pick<Results, 'folder' | 'strict'> {
  readonly journal: string;
}

/** The plan that is assumed of a watched client, whose key says nothing of it. */
const PLAN = 'free';

/** What the traffic of a watched client shows of the service behind it; undefined where there is no journal of such a client. */
export function watchedServiceRecord(
  lines: readonly ClientJournalLine[],
  specification: Specification,
  strict: boolean,
): ServiceRecord | undefined {
  const traffic = serviceTraffic(lines, PLAN, limitsOf(loadPlans(), PLAN));
  if (traffic === undefined) return undefined;
  const contents = { lines: traffic.lines, damage: [] };
  return shownByTraffic(judge(contents, specification, { strict, watched: true }), traffic);
}

/**
 * Judges a client by its journal, and the service behind a watched one, whose reports have a folder of their own.
 * @throws {JournalError} when the journal cannot be read, or is none.
 */
export async function judgeRecordedClient({
  journal,
  folder,
  strict,
}: RecordedClient): Promise<readonly Judged[]> {
  const specification = await loadSpecification();
  const contents = readClientJournal(journal);
  const client = { record: judgeClient(contents, specification, { strict }), folder, journal };
  const record = watchedServiceRecord(contents.lines, specification, strict);
  if (record === undefined) return [client];
  return [
    { record, folder: join(folder, 'service'), journal, heading: ['The service:', ''] },
    { ...client, heading: ['', 'The client:', ''] },
  ];
}
