import { definedFields } from '../../../kernel/basics/json.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import { groupedBy } from '../../../kernel/exchanges/collections.ts';
import { operationOf } from '../../../kernel/exchanges/exchange.ts';
import type { ClientTimeline, TimelineRequest } from '../../../kernel/findings/client.ts';
import type { Headline } from '../../../kernel/findings/record.ts';
import type { Specification } from '../../../spec/specification.ts';
import {
  endRemarks,
  numberRemarks,
  rounded,
  timeRemarks,
  versionRemarks,
} from '../../service/evidence/run-remarks.ts';
import type {
  ClientDescription,
  ClientExit,
  ClientHost,
  ClientJournalContents,
  ClientRunLine,
  ExitLine,
} from '../model/journal.ts';
import { printedText } from '../model/sender.ts';
import { scenarios } from '../scenarios/index.ts';
import type { ClientRequest } from './client-request.ts';
import { isLimited } from './client-request.ts';
import { announcedWait, earlyRequests, requestName } from './early.ts';
import type { ClientEvidence, ClientStart } from './evidence.ts';

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
  const { arrival, exchange, response } = request;
  const wait = announcedWait(request);
  const shown = response && {
    at: rounded(response.at.mono - origin),
    status: response.status,
    waitUntil: wait && rounded(wait.from.mono + wait.milliseconds - origin),
  };
  return definedFields({
    n: arrival.n,
    operation: operationOf(exchange),
    arrivedAt: rounded(arrival.at.mono - origin),
    response: shown && definedFields(shown),
    early: early && rounded(early),
  });
}

/** How a client ended, as the end of a sentence. One that this program did not start goes on when the run ends. */
export function endingText({ exit, played }: Pick<ClientStart, 'exit' | 'played'>): string {
  if (exit === undefined) return 'was not seen to end';
  const { how } = exit;
  return played?.when === 'attached' && how.kind === 'stopped' && how.because === 'watched'
    ? 'was watched until the run ended'
    : howEnded(how);
}

/** The same of a client that this program started. */
export function howEnded(how: ClientExit): string {
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

/** What the journal of a run lacks, so that it cannot show that the client conforms: one sentence each. */
export const lackingOf = (
  { run, starts, end }: ClientEvidence,
  { lines, damage }: ClientJournalContents,
): readonly string[] => [
  ...damage,
  ...endRemarks(end),
  ...numberRemarks(lines.flatMap((line) => (line.kind === 'arrival' ? [line.n] : []))),
  ...starts.flatMap(({ requests }) =>
    timeRemarks(
      requests.map(({ exchange }) => exchange),
      ({ sent }) => sent,
    ),
  ),
  ...unstatedStarts(run),
];

/** Starts that a complete run always has and this one does not state: they were removed together with what was sent in them. */
function unstatedStarts({ client, selection, starts }: ClientRunLine): readonly string[] {
  if (client.kind !== 'command' || selection !== undefined) return [];
  const stated = groupedBy(starts, ({ scenario }) => scenario);
  const missing = scenarios
    .filter(({ id, when, repetitions }) => when === 'always' && (stated.get(id)?.length ?? 0) < repetitions)
    .map(({ id }) => id);
  return remarkOn(
    missing,
    () =>
      `The journal does not state every start of ${missing.join(', ')}, which belong to every complete run.`,
  );
}

/** Why a run says less than it could, one sentence each. */
export function clientRemarks(
  evidence: ClientEvidence,
  contents: ClientJournalContents,
  specification: Specification,
): readonly string[] {
  const { run, starts } = evidence;
  const unknown = starts.flatMap(({ played, scenario }) => (played === undefined ? [scenario] : []));
  return [
    ...lackingOf(evidence, contents),
    ...boundedStarts(starts),
    ...endedByLimit(starts),
    ...leftBehind(starts),
    ...ofUnknownSender(starts),
    ...unreadLimits(starts),
    ...taskRemark(run.client.kind),
    ...remarkOn(
      [...new Set(unknown)],
      (_, count) => `This version does not know ${countOf(count, 'scenario')} of the journal.`,
    ),
    ...versionRemarks(run, specification),
  ];
}

/** What a client is taken for that has no task of this program. */
function taskRemark(kind: ClientDescription['kind']): readonly string[] {
  if (kind === 'command') return [];
  const [came, requests] =
    kind === 'watched'
      ? ['watched at its own work', 'two requests with one key']
      : ['attached by hand', 'two requests'];
  return [
    `The client was ${came}, so nothing states what it had to do: it is taken to have one task while it never has ${requests} in flight.`,
  ];
}

/** Clients that had to be stopped for what they did, or could not be started, by what happened. */
function boundedStarts(starts: readonly ClientStart[]): readonly string[] {
  const notable = starts.filter(({ exit }) => exit !== undefined && isNotable(exit));
  return [...groupedBy(notable, endingText)].map(
    ([ending, those]) =>
      `In ${countOf(those.length, 'start')} the client ${ending} (${[...new Set(those.map(({ scenario }) => scenario))].join(', ')}).`,
  );
}

/** A remark about what was found; none where nothing was. */
const remarkOn = <T>(found: readonly T[], text: (first: T, count: number) => string): readonly string[] => {
  const [first] = found;
  return first === undefined ? [] : [text(first, found.length)];
};

/** Clients that ended at their first 429, as one does whose retry raises an error. */
const endedByLimit = (starts: readonly ClientStart[]): readonly string[] =>
  remarkOn(
    starts.flatMap(({ requests, exit }) =>
      hasFailed(exit) && requests.length > 0 && requests.findIndex(isLimited) === requests.length - 1
        ? (printedText(exit?.output ?? '') ?? [])
        : [],
    ),
    (printed, count) =>
      `In ${countOf(count, 'start')} the client sent nothing after its first 429 response, and did not end with status 0. ${printed}`,
  );

const hasFailed = (exit: ExitLine | undefined): boolean =>
  exit?.how.kind === 'signalled' || (exit?.how.kind === 'exited' && exit.how.code !== 0);

/** Programs that a client had started and that outlived it. */
function leftBehind(starts: readonly ClientStart[]): readonly string[] {
  const found = starts.flatMap(({ exit }) => (exit?.leftBehind === undefined ? [] : [exit.leftBehind]));
  const names = [...new Set(found.flat())].slice(0, 5);
  return remarkOn(
    found,
    (_, count) =>
      `In ${countOf(count, 'start')} processes of the client lived on when it had ended, and were ended by this program: ${names.join(', ')}.`,
  );
}

/** Requests that prove nothing about the client, because another program may have sent them. */
const ofUnknownSender = (starts: readonly ClientStart[]): readonly string[] =>
  remarkOn(
    starts.flatMap((start) => start.ofUnknownSender),
    (first, count) =>
      `${countOf(count, 'request')} came without the path of \`PETSTORE_TARGET\` and without the key, so another program that used the port by chance may have sent them, ${requestName(first)} first. They are not judged.`,
  );

/** 429 responses from which nothing follows, because the client gave their request up before it read them. */
const unreadLimits = (starts: readonly ClientStart[]): readonly string[] =>
  remarkOn(
    starts.flatMap(({ requests }) => requests.filter((one) => one.unread && isLimited(one))),
    (first, count) =>
      `The client reset the connection of ${countOf(count, '429 response')}, as one does that gives a request up after a time of its own: ${requestName(first)} first. It may not have read them, so nothing that it did after them is judged.`,
  );

const isNotable = ({ how }: ExitLine): boolean =>
  how.kind === 'not-started' ||
  (how.kind === 'stopped' && how.because !== 'watched' && how.because !== 'interrupted');

/** What a user has to know first: the client sent nothing in any start, so there is no verdict. */
export function clientHeadline(evidence: ClientEvidence): Headline | undefined {
  const { starts, requests, end } = evidence;
  const ended = starts.filter(({ exit }) => exit !== undefined);
  if (requests.length > 0 || ended.length === 0 || end?.how === 'interrupted') return undefined;
  const endings = [...new Set(ended.map(endingText))];
  return {
    kind: 'no-requests',
    text: `The client sent no request in ${countOf(ended.length, 'start')}: it ${endings.slice(0, 2).join(', or ')}.`,
    fix: 'Check that the command runs by itself, reads PETSTORE_TARGET, PETSTORE_API_KEY, PETSTORE_CALLS, PETSTORE_CREATES and PETSTORE_CONCURRENCY, and sends its requests to PETSTORE_TARGET.',
  };
}
