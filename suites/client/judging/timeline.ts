import { definedFields } from '../../../kernel/basics/defined-fields.ts';
import { operationOf } from '../../../kernel/exchanges/operation.ts';
import type { ClientTimeline, TimelineRequest, TimelineResponse } from '../../../kernel/findings/client.ts';
import type { ClientHost } from '../model/journal.ts';
import type { ClientRequest } from './client-request.ts';
import type { ClientStart } from './evidence.ts';
import { announcedWait, earlyRequests } from './waits.ts';

/** More requests of one start than this are counted, not shown. */
const MOST_REQUESTS = 60;

/** What happened in a start, on a time axis that begins with its first arrival. */
export function timelineOf(start: ClientStart, where: ClientHost): ClientTimeline {
  const { requests } = start;
  const origin = requests[0]?.arrival.at.mono ?? 0;
  const early = new Map(earlyRequests(requests, where).map((one) => [one.request, one.early]));
  return {
    start: start.start,
    scenario: start.scenario,
    repetition: start.repetition,
    description: start.played?.description ?? 'This version does not know the scenario.',
    requests: requests.slice(0, MOST_REQUESTS).map((one) => requestOf(one, origin, early.get(one))),
    further: Math.max(0, requests.length - MOST_REQUESTS),
    ending: endingText(start),
  };
}

function requestOf(request: ClientRequest, origin: number, early: number | undefined): TimelineRequest {
  const { arrival, exchange } = request;
  return definedFields({
    n: arrival.n,
    operation: operationOf(exchange),
    arrivedAt: rounded(arrival.at.mono - origin),
    response: responseOf(request, origin),
    early: early === undefined ? undefined : rounded(early),
  });
}

function responseOf(request: ClientRequest, origin: number): TimelineResponse | undefined {
  const { response } = request;
  if (response === undefined) return undefined;
  const wait = announcedWait(request);
  const at = response.at.mono - origin;
  const waitUntil = wait === undefined ? undefined : rounded(at + wait.milliseconds);
  return definedFields({ at: rounded(at), status: response.status, waitUntil });
}

const rounded = (milliseconds: number): number => Math.round(100 * milliseconds) / 100;

/** How a client ended, as the end of a sentence. One that this program did not start goes on when the run ends. */
export function endingText({ exit, played }: Pick<ClientStart, 'exit' | 'played'>): string {
  if (exit === undefined) return 'was not seen to end';
  const { how } = exit;
  const isOwn = played?.when !== 'attached';
  if (!isOwn && how.kind === 'stopped' && how.because === 'watched') return 'was watched until the run ended';
  switch (how.kind) {
    case 'exited':
      return `exited with status ${how.code}`;
    case 'signalled':
      return `was ended by ${how.signal}`;
    case 'not-started':
      return `was not started: ${how.because}`;
    case 'stopped':
      return STOPPED[how.because];
  }
}

const STOPPED = {
  watched: 'was stopped, because its scenario had shown what it can',
  'no-request': 'was stopped, because it had sent nothing',
  'too-many-requests': 'was stopped, because it sent too many requests',
  'too-much-output': 'was stopped, because it printed too much',
  interrupted: 'was stopped with the run',
} as const;
