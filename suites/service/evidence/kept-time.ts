import { secondsText } from '../../../kernel/basics/text.ts';
import { exchangeName } from '../../../kernel/exchanges/exchange-text.ts';
import { inconclusive } from '../../../kernel/findings/judgement.ts';
import type { ClockProblem } from '../../../kernel/rate-limits/clocks.ts';
import { clockProblem } from '../../../kernel/rate-limits/clocks.ts';
import { clockSkew } from './clock-skew.ts';
import type { Evidence } from './evidence.ts';
import type { Requirement } from './requirement.ts';

/** What is judged by durations, or by what comes back in them: limits, their headers, waits and bans. */
const TIMED: ReadonlySet<string> = new Set([
  ...['RATE-7', 'RATE-8', 'RATE-9', 'RETRY-3', 'RETRY-4', 'BAN-1'],
  ...['LIMIT-1', 'LIMIT-2', 'LIMIT-4', 'LIMIT-5', 'LIMIT-6', 'LIMIT-7', 'LIMIT-8', 'LIMIT-9'],
]);

/** The requirement, undecided where the clocks of the run did not keep time and it is judged by durations. */
export function whereClocksKeptTime(requirement: Requirement): Requirement {
  if (!TIMED.has(requirement.id)) return requirement;
  return {
    ...requirement,
    judge(evidence) {
      const found = requirement.judge(evidence);
      const problem = evidence.fact(clocksOf);
      return problem === undefined || found.verdict === 'inconclusive' || found.verdict === 'not-tested'
        ? found
        : inconclusive(clockText(problem), problem.between);
    },
  };
}

const clocksOf = (evidence: Evidence): ClockProblem | undefined =>
  clockProblem(evidence.exchanges, evidence.fact(clockSkew));

/** What is wrong with the clocks, and what to do, in two sentences. */
function clockText({ kind, between, byMs }: ClockProblem): string {
  const where = `between ${exchangeName(between[0])} and ${exchangeName(between[1])}`;
  const time = secondsText(Math.abs(byMs));
  const what =
    kind === 'suspended'
      ? `The machine that ran the test stood still for ${time} ${where}, as a suspended one does`
      : `The Date of the target was set ${byMs < 0 ? 'back' : 'ahead'} by ${time} ${where}`;
  return `${what}, so no duration of this run proves anything. Run again.`;
}
