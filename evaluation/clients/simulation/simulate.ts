import type { Finding, Verdict } from '../../../kernel/findings/record.ts';
import type { Specification } from '../../../spec/specification.ts';
import { judgeClient } from '../../../suites/client/judging/judge-client.ts';
import { needsSeriesWithoutHeader } from '../../../suites/client/judging/requirements/backs-off.ts';
import type { ClientJournalLine } from '../../../suites/client/model/journal.ts';
import {
  backoffAfterSeconds,
  backoffAfterZero,
  backoffWithoutHeader,
  parallelTasks,
  waitCreation,
  waitDate,
  waitHour,
  waitLong,
  waitSeconds,
} from '../../../suites/client/scenarios/index.ts';
import { clientJournal } from '../../testing/clients/synthetic-client.ts';
import { seededBy } from '../../testing/suites/limiters.ts';
import type { SimulatedClient } from './simulated-client.ts';
import { parallelStart, seriesStart, waitStart } from './simulated-client.ts';
import type { Subject } from './subjects.ts';

/** The journal of a simulated client in every scenario that its verdicts rest on; the series without Retry-After as a run plays it, only where it decides. */
function simulatedJournal(
  client: SimulatedClient,
  random: () => number,
  isThorough = false,
): readonly ClientJournalLine[] {
  const runs = Array.from({ length: backoffAfterSeconds.repetitions });
  const starts = [
    waitStart(client, waitSeconds, '3', random),
    waitStart(client, waitCreation, '2', random),
    waitStart(client, waitDate, 4000, random),
    parallelStart(client, parallelTasks, random),
    ...runs.map(() => seriesStart(client, backoffAfterSeconds, '1', random)),
    ...runs.map(() => seriesStart(client, backoffAfterZero, '0', random)),
    ...(isThorough
      ? [waitStart(client, waitLong, '75', random), waitStart(client, waitHour, '3600', random)]
      : []),
  ];
  const journal = clientJournal(starts);
  return needsSeriesWithoutHeader(journal)
    ? clientJournal([
        ...starts,
        ...runs.map(() => seriesStart(client, backoffWithoutHeader, undefined, random)),
      ])
    : journal;
}

/** The verdicts on a simulated client, by requirement; scenarios with long waits are those of a thorough run alone. */
export function simulatedVerdicts(
  client: SimulatedClient,
  specification: Specification,
  random: () => number,
  isThorough = false,
): ReadonlyMap<Finding['id'], Verdict> {
  const contents = { lines: simulatedJournal(client, random, isThorough), damage: [] };
  const { requirements } = judgeClient(contents, specification, { strict: false });
  return new Map(requirements.map(({ id, verdict }) => [id, verdict]));
}

/** What the judges find in many simulated clients of one kind. */
export interface SimulatedResult {
  /** The requirements that every client of this kind violates. */
  readonly violates: readonly string[];
  readonly clients: number;
  /** Clients that fail a requirement that they keep. */
  readonly falseFails: number;
  /** By requirement: how many clients got each verdict. */
  readonly verdicts: Readonly<Record<string, Readonly<Partial<Record<Verdict, number>>>>>;
}

/** Judges so many clients of one kind. The same count gives the same result on every machine. */
export function tallySubject(subject: Subject, count: number, specification: Specification): SimulatedResult {
  const random = seededBy(subject.name);
  const verdicts: Record<string, Partial<Record<Verdict, number>>> = {};
  let falseFails = 0;
  for (let drawn = 0; drawn < count; drawn += 1) {
    const found = simulatedVerdicts(subject.draw(random), specification, random);
    for (const [id, verdict] of found) {
      const tally = verdicts[id] ?? {};
      verdicts[id] = { ...tally, [verdict]: (tally[verdict] ?? 0) + 1 };
    }
    const isViolated = (id: string): boolean => subject.violates.some((violated) => violated === id);
    if ([...found].some(([id, verdict]) => verdict === 'fail' && !isViolated(id))) falseFails += 1;
  }
  return { violates: subject.violates, clients: count, falseFails, verdicts };
}
