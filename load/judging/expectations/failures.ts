import { countOf, quoted, secondsText } from '../../../kernel/basics/text.ts';
import { firstFound, least } from '../../../kernel/exchanges/collections.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { IDLE_CONNECTION } from '../../model/key-list.ts';
import { whyIncomplete } from '../completeness.ts';
import type { LoadEvidence, RequestTally } from '../evidence.ts';

/** Strict clients reject what lenient ones read; only certify records the bytes. */
const CERTIFY_FIRST =
  'Certify says what is wrong with it and whether other clients read it (HTTP-4, MEDIA-1).';

/** After so long without a response, in milliseconds, a request goes over a connection that was idle meanwhile. */
const IDLE_MS = 1000;

function whyLost(tallies: readonly RequestTally[]): string {
  const quietMs = least(tallies.map(({ quietBeforeLost }) => quietBeforeLost));
  return quietMs < IDLE_MS
    ? 'The network may have lost them.'
    : `Each was sent ${secondsText(quietMs)} or more after the last response, so probably over a ${IDLE_CONNECTION}: a NAT, a load balancer or the target may have dropped it without a sign.`;
}

/** A 5xx comes from the target or its gateway; a connection may also be lost on the way. */
export function noServerErrors({ scenarios }: LoadEvidence): Judgement {
  const tallies = scenarios.map(({ tally }) => tally);
  const requests = tallies.reduce((sum, tally) => sum + tally.requests, 0);
  const all = countOf(requests, 'request');
  const failed = (kind: 'serverErrors' | 'malformed' | 'lost') => {
    const first = firstFound(tallies, (tally) => tally[kind].first);
    const count = tallies.reduce((sum, tally) => sum + tally[kind].count, 0);
    const detail = first?.outcome.kind === 'no-response' ? quoted(first.outcome.detail) : '';
    return first && { first, many: `${count} of ${all}`, example: `the first (request ${first.n})`, detail };
  };
  const error = failed('serverErrors');
  if (error !== undefined)
    return fail({
      expected: 'no 5xx',
      received: `a 5xx for ${error.many}, ${error.example} ${statusOf(error.first)}`,
    });
  const malformed = failed('malformed');
  if (malformed !== undefined)
    return inconclusive(
      `${malformed.many} got a malformed response, which k6 cannot read, ${malformed.example}: ${malformed.detail}. ${CERTIFY_FIRST}`,
    );
  const lost = failed('lost');
  if (lost !== undefined)
    return inconclusive(`${lost.many} got no response, ${lost.example}: ${lost.detail}. ${whyLost(tallies)}`);
  if (requests === 0) return inconclusive('No request was sent.');
  return pass(`Each of ${all} was answered, none with a 5xx.`);
}

/** Never fails: requests that were not sent, or were late, are caused by the load generator. */
export function sentOnSchedule(evidence: LoadEvidence): Judgement {
  const requests = evidence.scenarios.reduce((sum, { tally }) => sum + tally.requests, 0);
  if (requests === 0) return inconclusive(whyIncomplete(evidence) ?? 'No request was sent.');
  return pass(`Each of ${countOf(requests, 'planned request')} was sent on schedule.`);
}
