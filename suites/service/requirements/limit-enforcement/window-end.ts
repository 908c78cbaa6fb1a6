import { exchangeName } from '../../../../kernel/exchanges/exchange-text.ts';
import { accepted } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { factText } from '../../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned } from '../../../../kernel/findings/judgement.ts';
import { sameWithinOne } from '../../../../kernel/rate-limits/attribution/early-429.ts';
import { perhapsAnotherClient, sharedUse } from '../../evidence/another-client.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { thirdUses } from '../../evidence/further-windows.ts';
import { countsOlderRequests, thirdWindow } from '../../probes/third-window.ts';

/** Windows in a row that must show the same: then another client of the key is no explanation. */
const WINDOWS_ALIKE = 2;

/**
 * A window that does not end while requests come: a 429 for requests of which
 * some are older than a window, although the others alone leave quota in every
 * conforming limiter. Undefined where no further window shows one.
 */
export function neverEnds(evidence: Evidence): Judgement | undefined {
  const { limits } = evidence.run;
  const windows = thirdUses(evidence);
  const found = windows.flatMap(
    ({ series }) => countsOlderRequests(series, evidence.exchanges, limits) ?? [],
  );
  const [first, ...again] = found;
  if (first === undefined) return undefined;
  const { exchange, before } = first;
  const since = exchange.sent.mono - limits.minuteSeconds * 1000;
  const recent = before.filter(({ sent }) => sent.mono >= since).length;
  const adverse = fail(
    {
      expected: `a request not to count when it is older than the window of ${limits.minuteSeconds} s`,
      received: `429 in ${exchangeName(exchange)} after ${recent} requests in the last ${limits.minuteSeconds} s and ${before.length - recent} before that`,
    },
    [...before.slice(0, 1), exchange],
  );
  if (evidence.exclusive) return adverse;
  const alike =
    evidence.finished &&
    found.length === windows.length &&
    windows.length >= WINDOWS_ALIKE &&
    again.every((one) => sameWithinOne([one.before.length, before.length]));
  if (!alike || evidence.fact(sharedUse) !== undefined)
    return perhapsAnotherClient(
      `${factText(adverse)} Another client may be using this key.`,
      adverse.exchanges,
    );
  const ends = again.map((one) => exchangeName(one.exchange)).join(' and ');
  return { ...furtherReasoned(adverse, `The same happened in each repetition: ${ends}.`), shows: [exchange] };
}

/** That requests were sent across the end of a further window, and after it, where they were. */
export function acrossEndText(evidence: Evidence): string {
  const sent = evidence.step(thirdWindow, thirdWindow.steps.pastWindow).filter(accepted);
  return sent.length === 0 ? '' : ', nor does one around the end of a further window, or after it';
}
