import { countOf } from '../../../kernel/basics/text.ts';
import type { ClientRequest } from './client-request.ts';
import { pauseAfter } from './client-request.ts';
import type { ClientEvidence } from './evidence.ts';
import type { EarlyRequest } from './waits.ts';
import { earlyRequests } from './waits.ts';

/** What came too early in the starts in which a client had one task. */
export interface EarlyOfOneTask {
  /** Nothing else was under way, so the client sent each of these although it had to wait. */
  readonly early: readonly EarlyRequest[];
  /** Those of `early` that decide: the certain ones, and all of them where none is certain. */
  readonly decisive: readonly EarlyRequest[];
  readonly isCertain: boolean;
  /** The client had several tasks although it was given one, and another of them may have sent each of these before the 429 was read. */
  readonly crossing: readonly EarlyRequest[];
}

/** For so long (milliseconds) a request may be under way on a busy machine: 1.2 s was measured with 40 clients on two cores. */
export const LONGEST_CROSSING = 1500;

/** Every request of a start with one task that came too early. */
export function earlyOfOneTask(evidence: ClientEvidence): EarlyOfOneTask {
  const all = evidence.ofOneTask.flatMap(({ requests }) =>
    earlyRequests(requests, evidence.run.client.where),
  );
  const mayCross = ({ request, wait }: EarlyRequest): boolean =>
    !evidence.keepsToOneTask && mayBeUnderWay(request, wait.limited);
  const early = all.filter((one) => !mayCross(one));
  const certain = early.filter(({ kind }) => kind === 'certain');
  const isCertain = certain.length > 0;
  return { early, decisive: isCertain ? certain : early, isCertain, crossing: all.filter(mayCross) };
}

/** Whether a request came so soon after a 429, on another connection, that another task may have sent it before. */
export const mayBeUnderWay = (request: ClientRequest, limited: ClientRequest): boolean =>
  request.arrival.connection.id !== limited.arrival.connection.id &&
  pauseAfter(limited, request) <= LONGEST_CROSSING;

/** Why these requests prove nothing, as a sentence. */
export const crossingText = (crossing: readonly unknown[]): string =>
  `The client sends with more tasks than it was given. ${countOf(crossing.length, 'request')} came less than ${LONGEST_CROSSING / 1000} s after a 429 response on another connection, and may have been sent before it was read. Test it again on a machine that does less at the same time, or let the client keep to \`PETSTORE_CONCURRENCY\`.`;
