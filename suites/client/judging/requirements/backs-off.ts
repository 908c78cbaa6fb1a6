import { countOf, secondsText } from '../../../../kernel/basics/text.ts';
import { groupedBy } from '../../../../kernel/exchanges/collections.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass, warn } from '../../../../kernel/findings/judgement.ts';
import type { ClientJournalLine } from '../../model/journal.ts';
import { backoffAfterSeconds, backoffAfterZero, backoffWithoutHeader } from '../../scenarios/index.ts';
import { delaysText } from '../early.ts';
import type { ClientRequirement } from '../evidence.ts';
import { ClientEvidence } from '../evidence.ts';
import type { OwnDelays } from '../own-delays.ts';
import { ownDelays } from '../own-delays.ts';
import type { SeriesClass } from '../series.ts';
import { mayBeNoise, mayBeTimer } from '../series.ts';

/** CLIENT-2: the delays that the client adds of its own grow exponentially. */
export const backsOff: ClientRequirement = {
  id: 'CLIENT-2',
  notWhenAttached:
    'A client that is not started by this program may begin a new call at any time, which looks like a delay that shrinks. To test this, let `certify-client` start it as a command.',
  whyItMatters:
    'Clients that retry at a constant rate keep a service overloaded; exponential delays let it recover, and the specification requires them.',
  fix: 'Multiply the delay by a constant factor (2 is usual) after each 429, with jitter and a limit on the attempts, and wait for the longer of this delay and `Retry-After`, or for their sum.',
  fixedIn: 'library',
  judge: judgeBackoff,
};

const CONSTANT: ReadonlySet<SeriesClass> = new Set(['zero', 'flat', 'linear']);
const isConstant = ({ reading }: OwnDelays): boolean => CONSTANT.has(reading.kind);
const grows = ({ reading }: OwnDelays): boolean => reading.kind === 'grows';

const readAs = (series: OwnDelays, kind: SeriesClass): OwnDelays => ({
  ...series,
  reading: { ...series.reading, kind },
});

/** Delays that are so many times as long are no noise of the same machine. */
const FAR_LONGER = 30;
const longestOf = ({ reading }: OwnDelays): number => Math.max(...reading.delays);

/**
 * A program that slept is slower to send: what is as short as noise is none where Retry-After 0 shows no delay, or much
 * longer ones. And constant delays prove nothing where the client leaves as much time between any two requests.
 */
function afterOneSecond(after: OwnDelays, zero: OwnDelays): OwnDelays {
  if (after.isPaced) return readAs(after, 'unclear');
  const isNone =
    mayBeNoise(after.reading) &&
    (zero.reading.kind === 'zero' || (grows(zero) && longestOf(zero) >= FAR_LONGER * longestOf(after)));
  return isNone ? readAs(after, 'zero') : after;
}

/** The same of delays without a wait. A client that takes as much time for any request adds it to a wait as well; a limit of its own is mostly over then. */
function afterNoWait(delays: OwnDelays, after: OwnDelays): OwnDelays {
  const isLimit = delays.isPaced && longestOf(after) < Math.min(...delays.reading.delays) / 2;
  return isLimit ? readAs(delays, 'unclear') : delays;
}

function seriesIn(evidence: ClientEvidence) {
  const zero = ownDelays(evidence, backoffAfterZero);
  const after = afterOneSecond(ownDelays(evidence, backoffAfterSeconds), zero);
  return {
    after,
    zero: afterNoWait(zero, after),
    absent: afterNoWait(ownDelays(evidence, backoffWithoutHeader), after),
  };
}

function judgeBackoff(evidence: ClientEvidence): Judgement {
  const { after, zero, absent } = seriesIn(evidence);
  if (grows(after)) return pass(grewText(after), citedOf([after]));
  if (!isConstant(after)) return undecided([after, zero]);
  const other = [zero, absent].find(grows);
  if (other !== undefined) return warn({ ...replacedFact(after, other), exchanges: citedOf([after, other]) });
  const all = [after, zero, absent];
  return all.every(isConstant) ? fail({ ...constantFact(all), exchanges: citedOf(all) }) : undecided(all);
}

const grewText = (series: OwnDelays): string =>
  `The delays that the client ${series.honoured ? 'added to' : 'made instead of'} \`Retry-After\` grew: ${delaysText(series.reading.delays)} (the shortest of ${countOf(series.reading.runs, 'run')}). No constant delay with jitter and no linear growth explains them. Whether they grow exponentially or by a power, such as the square of the number of attempts, was not tested.`;

const replacedFact = (after: OwnDelays, other: OwnDelays) => ({
  expected: 'delays that grow exponentially over repeated 429 responses',
  received: `${seriesText(after)}, in \`${after.scenario.id}\``,
  reasoning: `In \`${other.scenario.id}\` the client adds ${delaysText(other.reading.delays)}, which grow: \`Retry-After\` takes the place of its backoff. One plausible reading of the specification permits that, because the number of the service replaces the one of the client; read to the letter, exponential backoff is required as well.`,
});

const constantFact = (all: readonly OwnDelays[]) => ({
  expected: 'delays that grow exponentially over repeated 429 responses, with `Retry-After` or without',
  received: all.map((series) => `${seriesText(series)} in \`${series.scenario.id}\``).join(', '),
  reasoning: 'No series grows exponentially, so there is no such backoff under any reading.',
});

function seriesText({ reading, honoured, usual }: OwnDelays): string {
  const what = honoured ? 'own delays' : 'pauses';
  const text = `${NAMES[reading.kind]} ${what} of ${delaysText(reading.delays)}`;
  return reading.kind === 'zero' && usual >= SHOWN
    ? `${text} (${delaysText([usual])} of which it takes for any request)`
    : text;
}

/** What any request takes is named from here on (milliseconds): less rounds to 0.00 s. */
const SHOWN = 5;

const NAMES: Readonly<Record<SeriesClass, string>> = {
  few: 'too few',
  zero: 'no more than noise as',
  flat: 'constant',
  linear: 'linearly growing',
  grows: 'growing',
  unclear: 'unclear',
};

function undecided(all: readonly OwnDelays[]): Judgement {
  const open = all.filter((series) => !isConstant(series) && !grows(series));
  const reason = [...groupedBy(open, openText)]
    .map(([text, those]) => `In ${those.map(({ scenario }) => `\`${scenario.id}\``).join(' and ')} ${text}`)
    .join(' ');
  return inconclusive(reason, citedOf(all));
}

function openText({ reading, limited, isCrowded, isPaced, stalled }: OwnDelays): string {
  if (isCrowded)
    return 'the client, which was given one call, has several requests in flight, so the delays of a call do not show.';
  if (reading.runs === 0) return 'no start of the client shows its delays.';
  if (!limited) return 'no request of the client got 429.';
  if (reading.kind === 'few') {
    const delays = reading.delays.length === 0 ? 'no delay' : countOf(reading.delays.length, 'delay');
    return `the client shows ${delays}; it takes three to see whether they grow.`;
  }
  const delays = `the delays are ${delaysText(reading.delays)} (the shortest of ${countOf(reading.runs, 'run')})`;
  if (isPaced)
    return `${delays}: the client leaves as much time between any two requests, whether or not a shorter backoff grows behind it.`;
  if (mayBeTimer(reading))
    return `${delays}: a program that looks for work at fixed times shows the steps of its timer, whether or not a shorter backoff grows behind them.`;
  return `${delays}: they neither grow clearly, nor are they constant or linear.${busyText(reading.delays, stalled)}`;
}

/** A busy machine may lengthen delays by so many milliseconds. */
const LONGEST_STALL = 600;
const FEWER = '`--jobs 2` has fewer clients run at the same time.';

/** What the machine may have added to delays, as a sentence after theirs. */
function busyText(delays: readonly number[], stalled: number): string {
  if (stalled > 0)
    return ` For ${secondsText(stalled)} of them this machine was so busy that this program itself did not run, so they may be shorter; ${FEWER}`;
  return Math.max(...delays) <= LONGEST_STALL
    ? ` A busy machine lengthens delays of this size; ${FEWER}`
    : '';
}

const citedOf = (all: readonly OwnDelays[]) =>
  all.flatMap(({ requests }) => requests.map(({ exchange }) => exchange));

/** Where the series with Retry-After shows no growth, and the one with Retry-After 0 does not show that the client could. */
export function needsSeriesWithoutHeader(lines: readonly ClientJournalLine[]): boolean {
  const [run] = lines;
  if (run?.kind !== 'client-run' || run.client.kind !== 'command') return false;
  const { after, zero } = seriesIn(new ClientEvidence(run, lines));
  return isConstant(after) && !grows(zero);
}
