import { secondsText } from '../../../../kernel/basics/text.ts';
import { greatest } from '../../../../kernel/exchanges/collections.ts';
import { operationOf } from '../../../../kernel/exchanges/exchange.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { inconclusive, pass } from '../../../../kernel/findings/judgement.ts';
import { LONG_SECONDS } from '../../scenarios/index.ts';
import type { ClientRequest } from '../client-request.ts';
import { isLimited } from '../client-request.ts';
import type { AnnouncedWait, EarlyRequest } from '../early.ts';
import { announcedWait, earlyPattern, isAfter, judgeEarly, lateBy, requestName, waitText } from '../early.ts';
import type { ClientEvidence, ClientRequirement, ClientStart } from '../evidence.ts';

/** CLIENT-1: no request of a task before the end of a wait. */
export const waitsForRetryAfter: ClientRequirement = {
  id: 'CLIENT-1',
  whyItMatters:
    'A client that comes back too early gets 429 again, and a client that keeps sending may have its API key banned.',
  fix: 'Read `Retry-After` in both forms (seconds and HTTP-date) and wait at least that long before the next request of any operation; add jitter to the wait, never subtract it, and never cut the wait to a maximum of your own: give up instead.',
  fixedIn: 'library',
  judge: judgeWaits,
};

/** What is expected at least of a wait that shows whether Retry-After was read (milliseconds): many clients wait a second of their own. */
const TELLING_WAIT = 2000;
const MOST_CITED = 3;

function judgeWaits(evidence: ClientEvidence): Judgement {
  const followed = evidence.ofOneTask.flatMap(followedWaits);
  const waits = followed.map(({ wait }) => wait);
  return (
    judgeEarly(
      evidence,
      (wait) => `no request before the end of ${waitText(wait)}`,
      (first, early) =>
        `Our timing can only overstate the pause.${otherCallText(first)}${earlyPattern(early, waits)}`,
    ) ?? keptJudgement(followed, evidence)
  );
}

/** What an early request shows by its operation: a client that gives a call up has to wait before the next one, too. */
const otherCallText = ({ request, wait }: EarlyRequest): string =>
  operationOf(request.exchange) === operationOf(wait.limited.exchange)
    ? ''
    : ' It is another call than the one that got 429: the wait is one of the key, so it has to be kept before the next call as well, also where the first one was given up.';

interface FollowedWait {
  readonly wait: AnnouncedWait;
  readonly request: ClientRequest;
}

function followedWaits({ requests }: ClientStart): readonly FollowedWait[] {
  return requests.flatMap((limited) => {
    const wait = announcedWait(limited);
    const request = requests.find((one) => isAfter(one, limited));
    return wait === undefined || request === undefined ? [] : [{ wait, request }];
  });
}

function keptJudgement(kept: readonly FollowedWait[], evidence: ClientEvidence): Judgement {
  const seconds = kept.filter(({ wait }) => wait.form === 'seconds');
  const dates = kept.filter(({ wait }) => wait.form === 'date');
  const exchanges = kept
    .slice(0, MOST_CITED)
    .flatMap(({ wait, request }) => [wait.limited.exchange, request.exchange]);
  if (kept.length === 0) return inconclusive(nothingAfter(evidence));
  const telling = seconds.some(({ wait }) => wait.milliseconds >= TELLING_WAIT);
  if (!telling || dates.length === 0) {
    const missing = telling
      ? '`Retry-After` as an HTTP-date'
      : `\`Retry-After\` of ${TELLING_WAIT / 1000} s and more in seconds`;
    return inconclusive(
      `No request was early, but the client sent none after a 429 response with ${missing}.`,
      exchanges,
    );
  }
  const longest = longestTested(evidence);
  return pass(
    `The next request came after the end of the announced wait every time: after ${seconds.length} in seconds and ${dates.length} as an HTTP-date, ${lateText(kept)}. Nothing was sent too early in the longest wait that was tested, ${secondsText(longest)}.`,
    exchanges,
    longest < 1000 * LONG_SECONDS ? longWaitsText(longest, evidence) : undefined,
  );
}

/** The longest part of an announced wait for which the client was watched, in milliseconds: all of it where it ended by itself. */
const longestTested = ({ ofOneTask }: ClientEvidence): number =>
  greatest(ofOneTask.flatMap((start) => start.requests.flatMap((limited) => testedPart(limited, start))));

function testedPart(limited: ClientRequest, { requests, exit }: ClientStart): readonly number[] {
  const wait = announcedWait(limited);
  if (wait === undefined) return [];
  const isWhole = exit?.how.kind === 'exited' || requests.some((one) => isAfter(one, limited));
  return [
    isWhole
      ? wait.milliseconds
      : Math.min(wait.milliseconds, exit === undefined ? 0 : exit.at.mono - wait.from.mono),
  ];
}

const longWaitsText = (longest: number, { isCommand }: ClientEvidence): string =>
  `Waits of more than ${secondsText(longest)} were not tested, and many clients cut long ones, at 10, 30 or 60 s: ${isCommand ? '' : 'with a command, '}\`certify-client --thorough\` announces ${LONG_SECONDS} s and an hour.`;

function lateText(kept: readonly FollowedWait[]): string {
  const late = kept.map(({ wait, request }) => Math.max(0, lateBy(request, wait)));
  return `${secondsText(Math.min(...late))} to ${secondsText(greatest(late))} after it`;
}

/** What a client with 404 has to know, such as one that appends the version of the path a second time. */
const SERVED =
  ' The scripted service serves `/categories` directly below `PETSTORE_TARGET`, which ends in `/v1` already.';

/** Why nothing follows from the starts about waiting, as a sentence. */
export const nothingAfter = ({ isCommand, starts, requests }: ClientEvidence): string => {
  if (!isCommand && starts.some(({ mostInFlight }) => mostInFlight > 1))
    return 'The client had several requests in flight, so a request after a 429 may belong to another task than the one that has to wait.';
  if (requests.length > 0 && requests.every(({ response }) => response === undefined))
    return 'The client got no response at all: it closed each connection, or its own direction of it, before the response was due.';
  const [first] = requests;
  if (first !== undefined && !requests.some(isLimited))
    return `No request of the client got 429, so it shows nothing about waiting: ${requestName(first)} got ${first.response?.status ?? 'no response'}.${first.response?.status === 404 ? SERVED : ''}`;
  return 'The client sent nothing after a 429 response with a wait, so it shows nothing about waiting.';
};
