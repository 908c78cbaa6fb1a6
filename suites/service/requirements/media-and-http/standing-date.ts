import { quoted, secondsText } from '../../../../kernel/basics/text.ts';
import { headersOf, headerValue } from '../../../../kernel/exchanges/headers.ts';
import { isUndated } from '../../../../kernel/exchanges/http-date.ts';
import { exchangeName } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail } from '../../../../kernel/findings/judgement.ts';
import { isDateStanding } from '../../../../kernel/rate-limits/clocks.ts';
import type { Evidence } from '../../evidence/evidence.ts';

/** A Date that is the same in all responses: it names the moment of none. */
export function standingDate(evidence: Evidence): Judgement | undefined {
  const { recorded } = evidence;
  const dated = isDateStanding(recorded) ? recorded.filter((exchange) => !isUndated(exchange)) : [];
  const [first, last] = [dated[0], dated.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const date = headerValue(headersOf(first), 'Date') ?? '';
  return fail(
    {
      expected: 'a Date that names the moment of its response',
      received: `${quoted(date)} in ${exchangeName(first)} and still in ${exchangeName(last)}, ${secondsText(last.received.mono - first.sent.mono)} later`,
      reasoning:
        'A Date that stands still shows no time, so Reset was compared with the clock of the machine that ran the test.',
    },
    [first, last],
  );
}
