import { countOf, secondsText } from '../../../../kernel/basics/text.ts';
import { exchangeName } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, isAdverse, pass, warn } from '../../../../kernel/findings/judgement.ts';
import { parallelTasks } from '../../scenarios/index.ts';
import { pauseAfter } from '../client-request.ts';
import {
  announcedWait,
  crossingText,
  isAfter,
  judgeEarly,
  LONGEST_CROSSING,
  moreText,
  requestName,
  waitText,
} from '../early.ts';
import type { ClientEvidence, ClientRequirement } from '../evidence.ts';
import type { ParallelReading } from '../own-delays.ts';
import { readParallel } from '../own-delays.ts';
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

const MOST_CITED = 5;
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
  const readings = evidence
    .of(parallelTasks)
    .flatMap((start) => readParallel(start, evidence.stalls, evidence.keepsToOneTask) ?? []);
  const [reading] = readings;
  if (reading === undefined)
    return inconclusive('No task of the client was rate-limited while others were at work.');
  return parallelJudgement(reading);
}

function parallelJudgement(reading: ParallelReading): Judgement {
  const { limited, seconds, tasks, mostInFlight, whileHeld, crossing, released, heldFor, later } = reading;
  const exchanges = [limited, ...whileHeld, ...released].slice(0, MOST_CITED).map(({ exchange }) => exchange);
  const expected = `nothing to be sent with the key for ${secondsText(1000 * seconds)} after the 429 response to ${requestName(limited)}`;
  const [held] = whileHeld;
  if (held !== undefined) {
    const reasoning = `The requests of the other ${tasks - 1} tasks were without a response at that moment, so the rate-limited task itself, a timer, or a further task of the client sent it.${moreText(whileHeld.length - 1, 'request')}`;
    return fail({
      expected,
      received: `${exchangeName(held.exchange)} ${afterText(held, reading)}`,
      reasoning,
      exchanges,
    });
  }
  if (released.length > 0 && heldFor !== undefined && heldFor < LEAST_HOLD)
    return inconclusive(
      `While the other tasks were without a response, this machine was so busy that this program itself ran for ${secondsText(heldFor)} only. The client may not have read the 429 before it sent ${countOf(released.length, 'request')}. Test it again on a machine that does less at the same time.`,
      exchanges,
    );
  const others = Math.max(1, tasks - 1);
  if (released.length > others) {
    const reasoning = `Even if each of the other ${others} tasks had to learn of the limit by a 429 response of its own, no more than ${others} would be sent.`;
    return fail({ expected, received: releasedText(reading), reasoning, exchanges });
  }
  if (released.length > 0) {
    const reasoning =
      'One task was rate-limited, and other tasks of the same key went on: each sent at most one request before it got a 429 response of its own. One plausible reading is that each call has to wait for itself; read to the letter, the client has to wait. Most HTTP libraries behave like this.';
    return warn({ expected, received: releasedText(reading), reasoning, exchanges });
  }
  if (crossing.length > 0)
    return inconclusive(
      crossingText(crossing),
      crossing.slice(0, MOST_CITED).map(({ exchange }) => exchange),
    );
  if (later === undefined)
    return inconclusive(
      `With ${countOf(tasks, 'task')}, the client sent nothing at all after the 429 response in ${requestName(limited)}.`,
      exchanges,
    );
  const flight = mostInFlight === 1 ? 'one request at a time' : `${mostInFlight} requests in flight`;
  return pass(
    `With ${countOf(tasks, 'task')} and ${flight}, no task sent anything for ${secondsText(1000 * seconds)} after one of them got 429, and the work went on afterwards.`,
    [limited.exchange, later.exchange],
  );
}

const afterText = (request: ParallelReading['limited'], { limited }: ParallelReading): string =>
  `${secondsText(pauseAfter(limited, request))} after it`;

function releasedText(reading: ParallelReading): string {
  const [first] = reading.released;
  return first === undefined
    ? ''
    : `${countOf(reading.released.length, 'request')}, the first in ${exchangeName(first.exchange)} ${afterText(first, reading)}`;
}
