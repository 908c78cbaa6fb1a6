import { secondsText } from '../../kernel/basics/text.ts';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import type { Judgement } from '../../kernel/findings/judgement.ts';
import { inconclusive } from '../../kernel/findings/judgement.ts';
import { clockProblem } from '../../kernel/rate-limits/clocks.ts';
import type { ExpectationId } from '../../spec/register.ts';
import type { ScenarioEvidence } from './evidence.ts';
import type { KeyExpectation } from './expectation.ts';

/** What is judged by durations, or by what comes back in them: limits, waits and bans. */
const TIMED: ReadonlySet<string> = new Set<ExpectationId>([
  ...(['NO-429', 'FLOOR', 'CEILING', 'RATE-LIMITED', 'REMAINING'] as const),
  ...(['RECOVERY', 'GOODPUT', 'NO-BAN', 'BAN-ENDS', 'DAY'] as const),
]);

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

/** The judgement, undecided where the clocks did not keep time and it rests on durations. */
export const whereClocksKeptTime = (
  { entry: { id } }: KeyExpectation,
  { clocks }: ScenarioEvidence,
  judgement: Judgement | undefined,
): Judgement | undefined =>
  clocks === undefined || judgement === undefined || judgement.verdict === 'inconclusive' || !TIMED.has(id)
    ? judgement
    : inconclusive(clocks);
