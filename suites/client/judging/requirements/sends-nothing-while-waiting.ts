import { countOf, secondsText } from '../../../../kernel/basics/text.ts';
import { least } from '../../../../kernel/exchanges/collections.ts';
import { exchangeName } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import {
  fail,
  inconclusive,
  isAdverse,
  MOST_CITED,
  pass,
  warn,
} from '../../../../kernel/findings/judgement.ts';
import type { StallLine } from '../../model/journal.ts';
import { parallelTasks } from '../../scenarios/index.ts';
import type { ClientRequest } from '../client-request.ts';
import { isLimited, pauseAfter, stalledWithin } from '../client-request.ts';
import {
  announcedWait,
  crossingText,
  isAfter,
  judgeEarly,
  LONGEST_CROSSING,
  mayBeUnderWay,
  moreText,
  requestName,
  waitText,
} from '../early.ts';
import type { ClientEvidence, ClientRequirement, ClientStart } from '../evidence.ts';
import { nothingAfter } from './waits-for-retry-after.ts';

/** CLIENT-3: while the key has to wait, no task, connection or operation sends anything with it. */
export const sendsNothingWhileWaiting: ClientRequirement = {
  id: 'CLIENT-3',
  whyItMatters:
    'The limit belongs to the key: whatever is sent with it meanwhile gets 429, too, and may get the key banned.',
  fix: 'Keep the end of the wait in one place that every task of the program shares (a gate), and let each request with the key pass it, whatever its operation; a retry inside one call holds back only that call.',
  fixedIn: 'library',
  judge: judgeSilentWait,
};

/** For so long this program must have run between the 429 and the other responses, in milliseconds, or the client may not have read the 429. */
const LEAST_HOLD = 500;

function judgeSilentWait(evidence: ClientEvidence): Judgement {
  const alone = judgeOneTask(evidence);
  if (alone.verdict === 'fail' || !evidence.isCommand) return alone;
  const parallel = judgeParallel(evidence);
  const inOrder = [parallel, alone];
  return (
    inOrder.find(({ verdict }) => verdict === 'fail') ??
    inOrder.find(isAdverse) ??
    inOrder.find(({ verdict }) => verdict === 'inconclusive') ??
    both(alone, parallel)
  );
}

const both = (alone: Judgement, parallel: Judgement): Judgement =>
  pass([alone, parallel].flatMap((one) => (one.verdict === 'pass' ? [one.checked] : [])).join(' '), [
    ...alone.exchanges,
    ...parallel.exchanges,
  ]);

/** One task: nothing else can be in flight, so every request before the end of the wait counts. */
function judgeOneTask(evidence: ClientEvidence): Judgement {
  const early = judgeEarly(
    evidence,
    (wait) => `nothing to be sent during ${waitText(wait)}`,
    () => whyCertain(evidence),
  );
  if (early !== undefined) return early;
  const kept = evidence.ofOneTask.flatMap(({ requests }) =>
    requests.filter(
      (one) => announcedWait(one) !== undefined && requests.some((later) => isAfter(later, one)),
    ),
  );
  const open = evidence.isCommand
    ? ''
    : ' Several tasks of the client were not tested, because that takes a command.';
  return kept.length === 0
    ? inconclusive(nothingAfter(evidence))
    : pass(
        `With one task, no operation was sent during ${countOf(kept.length, 'announced wait')}.${open}`,
        kept.slice(0, MOST_CITED).map(({ exchange }) => exchange),
      );
}

/** Why a request of a client that was given one task is no consequence of what it had sent before. */
function whyCertain({ isCommand, keepsToOneTask }: ClientEvidence): string {
  if (!isCommand) return '';
  return keepsToOneTask
    ? 'The client was given one task and never had two requests in flight, so nothing else was under way when the 429 came.'
    : `The client has several requests in flight, but this one came on the connection of the 429, or more than ${LONGEST_CROSSING / 1000} s after it.`;
}

function judgeParallel(evidence: ClientEvidence): Judgement {
  const [reading] = evidence.of(parallelTasks).flatMap((start) => readParallel(start, evidence) ?? []);
  return reading === undefined
    ? inconclusive('No task of the client was rate-limited while others were at work.')
    : parallelJudgement(reading);
}

/** A request on another connection may have been on its way this long when the 429 was written, and may come this much before the end (milliseconds). */
const TOLERANCE = 20;
/** The other responses are stamped before they are written; a request this much before them is no consequence of them (milliseconds). */
const BEFORE_RELEASE = 10;

/**
 * What several tasks with one key sent while one of them had to wait; undefined where none was rate-limited. Later 429
 * responses state the seconds left, rounded up, and are not compared with.
 */
function readParallel({ requests, played, mostInFlight }: ClientStart, evidence: ClientEvidence) {
  const { stalls } = evidence;
  const limited = requests.find(isLimited);
  const wait = limited === undefined ? undefined : announcedWait(limited);
  if (limited === undefined || wait === undefined) return undefined;
  const from = wait.from.mono;
  const until = from + wait.milliseconds - TOLERANCE;
  const tasks = played?.work.concurrency ?? 1;
  const held = requests.filter(
    (one) =>
      one !== limited &&
      one.arrival.at.mono <= from &&
      (one.response?.at.mono ?? Number.POSITIVE_INFINITY) > from,
  );
  // Only where every task waits for a response does a request show who sent it; one without a response may have been given up.
  const allHeld =
    tasks > 1 && held.length >= tasks - 1 && held.every(({ response }) => response !== undefined);
  const release = least(held.flatMap(({ response }) => response?.at.mono ?? []));
  const heldUntil = allHeld ? release - BEFORE_RELEASE : from;
  // On the connection of the 429 nothing can have been on its way.
  const isAfter = ({ connection, at }: ClientRequest['arrival']): boolean =>
    connection.id === limited.arrival.connection.id
      ? at.mono > from
      : sentAfter(at.mono, stalls) > from + TOLERANCE;
  const early = requests.filter(
    ({ arrival, keyed }) => keyed === limited.keyed && isAfter(arrival) && arrival.at.mono < until,
  );
  const beforeRelease = early.filter(({ arrival: { at } }) => at.mono < heldUntil);
  // Where the others were not held, another task may have sent any of them.
  const crossing =
    evidence.keepsToOneTask && mostInFlight <= tasks
      ? []
      : (allHeld ? beforeRelease : early).filter((one) => mayBeUnderWay(one, limited));
  return {
    wait,
    tasks,
    mostInFlight,
    /** While every other task was without a response: only the rate-limited task, a timer, or a task that the client was not given can have sent them. */
    whileHeld: beforeRelease.filter((one) => !crossing.includes(one)),
    /** Of a client with more tasks than it was given: another of them may have sent each before the 429 was read. */
    crossing,
    /** Before the end of the wait, and another task may have sent them. */
    released: early.filter((one) => one.arrival.at.mono >= heldUntil && !crossing.includes(one)),
    /** How long the responses of the other tasks were held while this program ran, in milliseconds; undefined where they were not. */
    heldFor: allHeld ? release - from - stalledWithin(from, release, stalls) : undefined,
    later: requests.find(({ arrival: { at } }) => at.mono >= until),
  };
}

type ParallelReading = NonNullable<ReturnType<typeof readParallel>>;

/** A request is read within this time (milliseconds) after a stall if it waited during the stall. */
const READ_AFTER_STALL = 100;

/** After which moment a request that was read at this one was sent: one that was read right after a stall may have waited since its beginning. */
const sentAfter = (read: number, stalls: readonly StallLine[]): number =>
  stalls
    .filter(({ at }) => at.mono <= read && read - at.mono <= READ_AFTER_STALL)
    .reduce((sent, { at, milliseconds }) => Math.min(sent, at.mono - milliseconds - TOLERANCE), read);

function parallelJudgement(reading: ParallelReading): Judgement {
  const { wait, tasks, mostInFlight, whileHeld, crossing, released, heldFor, later } = reading;
  const { limited } = wait;
  const citing = (...cited: readonly ClientRequest[]) =>
    cited.slice(0, MOST_CITED).map(({ exchange }) => exchange);
  const exchanges = citing(limited, ...whileHeld, ...released);
  const expected = `nothing to be sent with the key for ${secondsText(wait.milliseconds)} after the 429 response to ${requestName(limited)}`;
  const sentText = (one: ClientRequest): string =>
    `${exchangeName(one.exchange)} ${secondsText(pauseAfter(limited, one))} after it`;
  const [held] = whileHeld;
  if (held !== undefined) {
    const reasoning = `The requests of the other ${tasks - 1} tasks were without a response at that moment, so the rate-limited task itself, a timer, or a further task of the client sent it.${moreText(whileHeld.length - 1, 'request')}`;
    return fail({ expected, received: sentText(held), reasoning, exchanges });
  }
  const [first] = released;
  if (first !== undefined) {
    if (heldFor !== undefined && heldFor < LEAST_HOLD)
      return inconclusive(
        `While the other tasks were without a response, this machine was so busy that this program itself ran for ${secondsText(heldFor)} only. The client may not have read the 429 before it sent ${countOf(released.length, 'request')}. Test it again on a machine that does less at the same time.`,
        exchanges,
      );
    const others = Math.max(1, tasks - 1);
    const received = `${countOf(released.length, 'request')}, the first in ${sentText(first)}`;
    return released.length > others
      ? fail({
          expected,
          received,
          reasoning: `Even if each of the other ${others} tasks had to learn of the limit by a 429 response of its own, no more than ${others} would be sent.`,
          exchanges,
        })
      : warn({ expected, received, reasoning: ONCE_EACH, exchanges });
  }
  if (crossing.length > 0) return inconclusive(crossingText(crossing), citing(...crossing));
  if (later === undefined)
    return inconclusive(
      `With ${countOf(tasks, 'task')}, the client sent nothing at all after the 429 response in ${requestName(limited)}.`,
      exchanges,
    );
  const flight = mostInFlight === 1 ? 'one request at a time' : `${mostInFlight} requests in flight`;
  return pass(
    `With ${countOf(tasks, 'task')} and ${flight}, no task sent anything for ${secondsText(wait.milliseconds)} after one of them got 429, and the work went on afterwards.`,
    [limited.exchange, later.exchange],
  );
}

const ONCE_EACH =
  'One task was rate-limited, and other tasks of the same key went on: each sent at most one request before it got a 429 response of its own. One plausible reading is that each call has to wait for itself; read to the letter, the client has to wait. Most HTTP libraries behave like this.';
