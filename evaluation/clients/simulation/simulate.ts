import type { Finding, Verdict } from '../../../kernel/findings/record.ts';
import type { Specification } from '../../../spec/specification.ts';
import { judgeClient } from '../../../suites/client/judging/judge-client.ts';
import { needsSeriesWithoutHeader } from '../../../suites/client/judging/series-needed.ts';
import type { ClientJournalLine } from '../../../suites/client/model/journal.ts';
import {
  backoffAfterSeconds,
  backoffAfterZero,
  backoffWithoutHeader,
} from '../../../suites/client/scenarios/backoff.ts';
import {
  parallelTasks,
  waitCreation,
  waitDate,
  waitHour,
  waitLong,
  waitSeconds,
} from '../../../suites/client/scenarios/waiting.ts';
import { clientJournal } from '../../testing/clients/synthetic-client.ts';
import type { SimulatedClient } from './simulated-client.ts';
import { parallelStart, seriesStart, waitStart } from './simulated-client.ts';

/** Which scenarios are simulated: those with long waits in a thorough run alone. */
export type SimulatedExtent = 'usual' | 'thorough';

/** The journal of a simulated client in every scenario that its verdicts rest on; the series without Retry-After as a run plays it, only where it decides. */
export function simulatedJournal(
  client: SimulatedClient,
  random: () => number,
  extent: SimulatedExtent = 'usual',
): readonly ClientJournalLine[] {
  const runs = Array.from({ length: backoffAfterSeconds.repetitions });
  const starts = [
    waitStart(client, waitSeconds, '3', random),
    waitStart(client, waitCreation, '2', random),
    waitStart(client, waitDate, 4000, random),
    parallelStart(client, parallelTasks, random),
    ...runs.map(() => seriesStart(client, backoffAfterSeconds, '1', random)),
    ...runs.map(() => seriesStart(client, backoffAfterZero, '0', random)),
    ...(extent === 'usual'
      ? []
      : [waitStart(client, waitLong, '75', random), waitStart(client, waitHour, '3600', random)]),
  ];
  const journal = clientJournal(starts);
  return needsSeriesWithoutHeader(journal)
    ? clientJournal([
        ...starts,
        ...runs.map(() => seriesStart(client, backoffWithoutHeader, undefined, random)),
      ])
    : journal;
}

/** The verdicts on a simulated client, by requirement. */
export function simulatedVerdicts(
  client: SimulatedClient,
  specification: Specification,
  random: () => number,
  extent: SimulatedExtent = 'usual',
): ReadonlyMap<Finding['id'], Verdict> {
  const contents = { lines: simulatedJournal(client, random, extent), damage: [] };
  const { requirements } = judgeClient(contents, specification, { strict: false });
  return new Map(requirements.map(({ id, verdict }) => [id, verdict]));
}
