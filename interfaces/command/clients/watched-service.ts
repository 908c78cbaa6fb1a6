import type { ServiceRecord } from '../../../kernel/findings/record.ts';
import { limitsOf, loadPlans } from '../../../spec/plans.ts';
import type { Specification } from '../../../spec/specification.ts';
import { serviceTraffic, shownByTraffic } from '../../../suites/client/judging/service-traffic.ts';
import type { ClientJournalLine } from '../../../suites/client/model/journal.ts';
import { judge } from '../../../suites/service/judge/judge.ts';

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
  return shownByTraffic(
    judge({ lines: traffic.lines, damage: [] }, specification, { strict, watched: true }),
    traffic,
  );
}
