import { countOf } from '../../../kernel/basics/text.ts';
import type { Headline } from '../../../kernel/findings/record.ts';
import type { Specification } from '../../../spec/specification.ts';
import { endRemarks, gapRemarks, versionRemarks } from '../../service/evidence/run-remarks.ts';
import type { ClientDescription, ClientJournalContents, ExitLine } from '../model/journal.ts';
import { printedText } from '../model/printed.ts';
import { isLimited } from './client-request.ts';
import type { ClientEvidence, ClientStart } from './evidence.ts';
import { requestName } from './texts.ts';
import { endingText } from './timeline.ts';

/** What the journal of a run lacks, so that it cannot show that the client conforms: one sentence each. */
export const lackingOf = (
  { end }: ClientEvidence,
  { lines, damage }: ClientJournalContents,
): readonly string[] => [
  ...damage,
  ...endRemarks(end),
  ...gapRemarks(lines.flatMap((line) => (line.kind === 'arrival' ? [line.n] : []))),
];

/** Why a run says less than it could, one sentence each. */
export function clientRemarks(
  evidence: ClientEvidence,
  contents: ClientJournalContents,
  specification: Specification,
): readonly string[] {
  const { run, starts } = evidence;
  const unknown = new Set(
    starts.filter(({ played }) => played === undefined).map(({ scenario }) => scenario),
  );
  return [
    ...lackingOf(evidence, contents),
    ...boundedStarts(starts),
    ...endedByLimit(starts),
    ...leftBehind(starts),
    ...ofUnknownSender(starts),
    ...unreadLimits(starts),
    ...taskRemark(run.client.kind),
    ...(unknown.size === 0
      ? []
      : [`This version does not know ${countOf(unknown.size, 'scenario')} of the journal.`]),
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
  const byEnding = new Map<string, string[]>();
  for (const start of starts) {
    if (start.exit === undefined || !isNotable(start.exit)) continue;
    const ending = endingText(start);
    byEnding.set(ending, [...(byEnding.get(ending) ?? []), start.scenario]);
  }
  return [...byEnding].map(
    ([ending, names]) =>
      `In ${countOf(names.length, 'start')} the client ${ending} (${[...new Set(names)].join(', ')}).`,
  );
}

/** Clients that ended at their first 429, as one does whose retry raises an error. */
function endedByLimit(starts: readonly ClientStart[]): readonly string[] {
  const found = starts.filter(
    ({ requests, exit }) =>
      hasFailed(exit) && requests.length > 0 && requests.findIndex(isLimited) === requests.length - 1,
  );
  const [printed] = found.flatMap(({ exit }) => printedText(exit?.output ?? '') ?? []);
  if (printed === undefined) return [];
  return [
    `In ${countOf(found.length, 'start')} the client sent nothing after its first 429 response, and did not end with status 0. ${printed}`,
  ];
}

const hasFailed = (exit: ExitLine | undefined): boolean =>
  exit?.how.kind === 'signalled' || (exit?.how.kind === 'exited' && exit.how.code !== 0);

/** Programs that a client had started and that outlived it. */
function leftBehind(starts: readonly ClientStart[]): readonly string[] {
  const found = starts.filter(({ exit }) => exit?.leftBehind !== undefined);
  if (found.length === 0) return [];
  const names = [...new Set(found.flatMap(({ exit }) => exit?.leftBehind ?? []))].slice(0, 5);
  return [
    `In ${countOf(found.length, 'start')} processes of the client lived on when it had ended, and were ended by this program: ${names.join(', ')}.`,
  ];
}

/** Requests that prove nothing about the client, because another program may have sent them. */
function ofUnknownSender(starts: readonly ClientStart[]): readonly string[] {
  const found = starts.flatMap((start) => start.ofUnknownSender);
  const [first] = found;
  if (first === undefined) return [];
  return [
    `${countOf(found.length, 'request')} came without the path of \`PETSTORE_TARGET\` and without the key, so another program that used the port by chance may have sent them, ${requestName(first)} first. They are not judged.`,
  ];
}

/** 429 responses from which nothing follows, because the client gave their request up before it read them. */
function unreadLimits(starts: readonly ClientStart[]): readonly string[] {
  const found = starts.flatMap(({ requests }) => requests.filter((one) => one.unread && isLimited(one)));
  const [first] = found;
  if (first === undefined) return [];
  return [
    `The client reset the connection of ${countOf(found.length, '429 response')}, as one does that gives a request up after a time of its own: ${requestName(first)} first. It may not have read them, so nothing that it did after them is judged.`,
  ];
}

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
