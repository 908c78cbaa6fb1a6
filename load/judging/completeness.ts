import { capitalized, countOf, secondsText } from '../../kernel/basics/text.ts';
import { firstFrom } from '../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { cacheLine, headersOf, headerValue, statesStored } from '../../kernel/exchanges/headers.ts';
import { accepted } from '../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../kernel/findings/judgement.ts';
import { inconclusive } from '../../kernel/findings/judgement.ts';
import { clockProblem } from '../../kernel/rate-limits/clocks.ts';
import { keyText } from '../model/key-list.ts';
import type { Sample } from '../model/sample.ts';
import { isError, stopText } from '../model/sample.ts';
import type { Breakdown, KeyExpectation, LoadEvidence, ScenarioEvidence } from './evidence.ts';

/** A request is late if it is sent more than this after its scheduled time, in milliseconds. */
const LATE_TOLERANCE_MS = 250;

/** One request of so many may be late: a machine that pauses once in a long run has not changed the load. */
const ONE_OF = 100;

/** A disposable key may be banned, and a ban ends its scenario. */
const endedByBan = ({ key, stopped }: ScenarioEvidence): boolean =>
  key === 'disposable' && stopped?.because === 'banned';

/** Why the run did not send all that was planned, in one sentence; undefined where it did. */
export function whyIncomplete({ scenarios, ended }: LoadEvidence): string | undefined {
  const counting = scenarios.filter((one) => !endedByBan(one));
  for (const { stopped, ...one } of counting)
    if (stopped !== undefined)
      return `${capitalized(keyText(one.key))} stopped: ${sentOf(one)} (${stopText(stopped)}).`;
  if (ended.how !== 'finished' && counting.length === scenarios.length)
    return `The run was ${ended.how}: ${ended.because}`;
  const short = counting.find(({ tally, planned }) => tally.requests !== planned);
  return short && `${capitalized(keyText(short.key))}: ${sentOf(short)}.`;
}

const sentOf = ({ tally, planned }: Pick<ScenarioEvidence, 'tally' | 'planned'>): string =>
  `${tally.requests} of ${countOf(planned, 'planned request')} were sent`;

/** Why the schedule was not kept, in one sentence; undefined where it was. */
export function whyLate({ measured }: LoadEvidence): string | undefined {
  const delays = measured.delays();
  const late = delays.length - firstFrom(delays.length, (at) => (delays[at] ?? 0) > LATE_TOLERANCE_MS);
  if (late <= Math.floor(delays.length / ONE_OF)) return undefined;
  return `${late} of ${countOf(delays.length, 'scheduled request')} were sent more than ${LATE_TOLERANCE_MS} ms late (up to ${Math.round(delays.at(-1) ?? 0)} ms): this machine was too busy.`;
}

/** How far the clocks of one service may differ, in seconds. */
const SKEW_SECONDS = 5;

/** What is wrong with the clocks, in one sentence; undefined where they kept time. k6 shows the wall clock alone. */
export function clockProblemText(exchanges: readonly Exchange[]): string | undefined {
  const problem = clockProblem(exchanges, SKEW_SECONDS);
  if (problem === undefined) return undefined;
  const { between, byMs } = problem;
  const direction = byMs < 0 ? 'back' : 'ahead';
  return `Between requests ${between[0].n} and ${between[1].n} the Date of the target went ${direction} by ${secondsText(Math.abs(byMs))} against the clock of this machine: one of the two was set, so no duration proves anything. Run again.`;
}

/**
 * The judgement, undecided where the clocks did not keep time: what is judged of one key rests on durations, or on what
 * comes back in them (limits, waits and bans), but its contract.
 */
export const whereClocksKeptTime = (
  { entry: { id } }: KeyExpectation,
  { clocks }: ScenarioEvidence,
  judgement: Judgement | undefined,
): Judgement | undefined =>
  clocks === undefined || id === 'CONTRACT' || judgement === undefined || judgement.verdict === 'inconclusive'
    ? judgement
    : inconclusive(clocks);

/** How k6 and the operating systems call a connection that the other side did not accept or closed. */
const CLOSED = /refused|reset by peer|broken pipe|EOF|closed/i;

/** How they call a network that does not lead to the target. */
const UNREACHABLE = /lookup|no such host|no route|network is (?:unreachable|down)|dial.*timeout/i;

/** How the target stopped serving, by the key that it served no more first; undefined where it served every key. */
export const breakdownOf = ({ scenarios }: LoadEvidence): Breakdown | undefined =>
  scenarios.flatMap(({ breakdown }) => breakdown ?? []).sort((a, b) => a.since - b.since)[0];

/** How the target stopped serving one key; undefined where it did not, or never served it. @param samples in the order of sending. */
export function breakdownOfKey(
  samples: readonly Sample[],
  stopped: ScenarioEvidence['stopped'],
): Breakdown | undefined {
  if (stopped?.because !== 'server errors' && stopped?.because !== 'unreachable') return undefined;
  const lastServed = samples.findLastIndex((one) => !isError(one));
  const [first, last] = [samples[lastServed + 1], samples.at(-1)];
  if (lastServed === -1 || first === undefined || last === undefined) return undefined;
  return { since: first.sent, by: causeOf(last), step: first.step, text: stopText(stopped) };
}

function causeOf({ outcome }: Sample): Breakdown['by'] {
  if (outcome.kind === 'answer' || CLOSED.test(outcome.error)) return 'target';
  return UNREACHABLE.test(outcome.error) ? 'network' : 'silent';
}

/** A response that is so much older than the request, in milliseconds, was made for an earlier one: Date is a whole second. */
const OLDER_MS = 2000;

/** What shows that a cache before the limiter answered requests, in one sentence; undefined where nothing does. */
export function answeredFromCache(exchanges: readonly Exchange[]): string | undefined {
  const served = exchanges.filter(accepted);
  const stored = served.find(statesStored);
  if (stored !== undefined)
    return `A cache answered request ${stored.n} (${cacheLine(stored)}), and a limiter behind it sees no such request: count requests before the cache, or store no responses of a key.`;
  const firsts = new Map<string, Exchange>();
  for (const one of served) {
    const text = HEADERS.map((name) => headerValue(headersOf(one), name)).join();
    const first = firsts.get(text) ?? one;
    firsts.set(text, first);
    if (headerValue(headersOf(one), 'Date') !== undefined && one.sent.mono - first.received.mono > OLDER_MS)
      return `Request ${one.n} shows the Date, Remaining and Reset of request ${first.n} again: a cache before the limiter may answer with stored responses.`;
  }
  return undefined;
}

const HEADERS = ['Date', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
