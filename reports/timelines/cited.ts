import type { ClientTimeline } from '../../suites/model/client.ts';
import type { Finding, RunRecord } from '../../suites/model/record.ts';

/** Timelines that a finding shows itself; the rest are in `report.json`. */
const SHOWN = 3;

/** The timelines of the starts whose exchanges a finding against a client cites; none for a service. */
export function citedTimelines(record: RunRecord, finding: Finding): readonly ClientTimeline[] {
  if (record.subject === 'service') return [];
  const cited = new Set(finding.exchanges);
  return record.timelines.filter(({ requests }) => requests.some(({ n }) => cited.has(n))).slice(0, SHOWN);
}
