import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName, outcomeText } from '../../../exchanges/exchange-text.ts';
import { answerOf, statusOf } from '../../../exchanges/headers.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../../exchanges/outcome-kinds.ts';
import { literalWaitSeconds } from '../../../exchanges/retry-after.ts';
import type { RetryOutcome } from '../../../rate-limits/retries.ts';
import { retryOutcome } from '../../../rate-limits/retries.ts';
import { ofKey } from '../../../rate-limits/series/keyed-requests.ts';
import { stepsOf } from '../../../rate-limits/series/series.ts';
import { secondsText } from '../../../words/text.ts';
import { perhapsAnotherClient, takenByOthers } from '../../evidence/another-client.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { fail, inconclusive, pass, warn } from '../../evidence/judgement.ts';
import type { NeverAgain } from '../../evidence/never-again.ts';
import { neverAgain } from '../../evidence/never-again.ts';
import { ifRepeated } from '../../evidence/repeated.ts';
import { drained, uses } from '../../evidence/uses.ts';
import { firstBatch } from '../../probes/creations.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';
import { recovery } from '../../probes/recovery.ts';
import type { Use } from '../../probes/uses.ts';

/** RETRY-3, whether the wait that was asked for is kept to, and RETRY-4, whether to the second. */
export interface Retried {
  readonly kept: Judgement;
  readonly exact: Judgement;
}

const both = (judgement: Judgement): Retried => ({ kept: judgement, exact: judgement });

/** What became of waiting as told, and of every repetition of it where that was in vain. */
export function retried(evidence: Evidence): Retried {
  const limited = evidence.fact(drained)?.limited?.exchange;
  if (limited === undefined) return both(inconclusive(evidence.lacking('No 429 was seen.', exhaustQuota)));
  const never = evidence.fact(neverAgain);
  if (never !== undefined) return neverAccepted(never);
  const found = retriedAfter(limited, evidence);
  if (found.kept.verdict !== 'fail') return found;
  const inVain = (use: Use): number | undefined => {
    const again = use.limited === undefined ? undefined : retriedAfter(use.limited.exchange, evidence);
    return again?.kept.verdict === 'fail' ? 1 : undefined;
  };
  return {
    kept: ifRepeated(evidence, found.kept, inVain),
    exact: found.exact.verdict === 'fail' ? ifRepeated(evidence, found.exact, inVain) : found.exact,
  };
}

/** The key waited as announced every time, and was rate-limited every time. */
function neverAccepted({ first, later }: NeverAgain): Retried {
  const span = (later.at(-1)?.sent.mono ?? 0) - first.received.mono;
  const text = `Expected a request to be accepted after Retry-After, but none was: ${later.map(exchangeName).join(', ')} each waited as the 429 before it announced, over ${secondsText(span)}, and each was rate-limited again. Remaining had fallen by this run's own requests alone until the first 429 (${exchangeName(first)}), so no other client was using the key then; one that began at that moment would have to use the whole limit within a second of each of these instants (--exclusive-key rules it out).`;
  return {
    kept: fail(text, [first, ...later]),
    exact: inconclusive('Retry-After is wrong by more than rounding (RETRY-3).', [first, ...later]),
  };
}

/** What the request after the Retry-After of this 429 shows, and the one after that if it was rate-limited again. */
function retriedAfter(limited: Exchange, evidence: Evidence): Retried {
  // An unspecified presentation of the key that is accepted is a request of the key; one that is not may count elsewhere.
  const keyed = ofKey(evidence.exchanges).filter(
    (exchange) => exchange.caller === 'key' || accepted(exchange),
  );
  const steps = stepsOf(keyed.filter((exchange) => exchange.sent.mono > limited.sent.mono));
  const [first, second] = steps
    .flatMap(({ exchanges }) => exchanges)
    .filter((exchange) => exchange.sent.mono >= limited.received.mono && !sentAlong(limited, exchange));
  const found = retryOutcome({ limited: [limited], first, second });
  const waitSeconds = literalWaitSeconds(answerOf(limited)) ?? 0;
  switch (found.kind) {
    case 'no usable Retry-After':
      return both(inconclusive(`The 429 of ${exchangeName(limited)} has no usable Retry-After.`, [limited]));
    case 'not retried':
      return both(inconclusive(evidence.whyNothing(recovery), [limited]));
    case 'in another unit':
      return both(inAnotherUnit(found));
    case 'retried too early': {
      const text = `${exchangeName(found.first)} was sent before Retry-After had passed.`;
      return both(inconclusive(text, [limited, found.first]));
    }
    case 'not rate-limited':
      return notLimited(evidence, limited, found.first, waitSeconds);
    case 'rate-limited again':
      return limitedAgain(evidence, limited, found, waitSeconds);
  }
}

/** What a wait that seems to count another unit than seconds allows to say. */
function inAnotherUnit({
  limited,
  first,
  unit,
  afterMs,
  result,
}: RetryOutcome & { readonly kind: 'in another unit' }): Judgement {
  const exchanges = [limited, first];
  const later = secondsText(afterMs);
  const text = `Retry-After of ${exchangeName(limited)} looks like ${unit.name} (RETRY-2)`;
  switch (result) {
    case 'too early':
      return inconclusive(
        `${text}; ${exchangeName(first)} was sent ${later} later, before that had passed.`,
        exchanges,
      );
    case 'accepted':
      return pass(
        `${text}. Read like that the wait is true: ${exchangeName(first)} was accepted ${later} later.`,
        exchanges,
      );
    case 'not accepted':
      return inconclusive(
        `${text}; ${exchangeName(first)}, sent ${later} later, ${outcomeText(first)}, but in seconds the wait was not over.`,
        exchanges,
      );
  }
}

/** A request of the same burst: it may leave after the first refusal came, and is no answer to it. */
const sentAlong = (limited: Exchange, { probe, step }: Exchange): boolean =>
  limited.probe === probe &&
  limited.step === step &&
  (step === exhaustQuota.steps.parallel || step === firstBatch.steps.parallel);

function notLimited(evidence: Evidence, limited: Exchange, first: Exchange, wait: number): Retried {
  const cited = [limited, first];
  if (isKeyRejected(first)) return both(bannedThen(evidence, limited, first, wait));
  if (statusOf(first) === undefined)
    return both(inconclusive(`${exchangeName(first)} ${outcomeText(first)}.`, cited));
  const kept = pass(
    `After ${wait} s, as Retry-After asked, ${exchangeName(first)} was not refused again.`,
    cited,
  );
  return { kept, exact: wait === 0 ? (askedLater(limited, first) ?? kept) : kept };
}

/** What may have been cut from a wait, in milliseconds, and show in nothing that comes this much later. */
const MOST_OF_A_SECOND = 500;

/** A wait of nothing is true where the 429 itself was held back as long, or where who asks again at once is let in. */
function askedLater(limited: Exchange, first: Exchange): Judgement | undefined {
  const held = limited.received.mono - limited.sent.mono;
  const later = first.sent.mono - limited.received.mono;
  if (held >= MOST_OF_A_SECOND || later < MOST_OF_A_SECOND) return undefined;
  return inconclusive(
    `${exchangeName(limited)} was refused at once with a Retry-After of 0, and ${exchangeName(first)} was sent ${secondsText(later)} later, so a wait that was cut from less than a second would not show: round it up.`,
    [limited, first],
  );
}

/** The specification allows a ban for whoever keeps sending, and for nobody who waits as told. */
function bannedThen(evidence: Evidence, limited: Exchange, first: Exchange, wait: number): Judgement {
  const cited = [limited, first];
  const text = `Expected no refusal after Retry-After (${wait} s), but ${exchangeName(first)} ${outcomeText(first)}.`;
  if (takenByOthers(evidence, limited))
    return perhapsAnotherClient(
      `${text} Another client may be using this key and may have had it banned.`,
      cited,
    );
  return alone(limited, evidence)
    ? fail(text, cited)
    : inconclusive(`${text} Several requests were beyond the limit at once, so it may be a ban.`, cited);
}

/** Whether no other request was beyond the limit in this stretch of use: whoever is persistent may be banned. */
const alone = (limited: Exchange, evidence: Evidence): boolean =>
  evidence
    .fact(uses)
    .filter(({ series }) => series.some(({ exchanges }) => exchanges.includes(limited)))
    .every(({ series }) => series.flatMap(({ exchanges }) => exchanges.filter(isRateLimited)).length === 1);

/** A 429 after the wait: rounding where the next request is accepted, a wrong Retry-After where that is rate-limited, too. */
function limitedAgain(
  evidence: Evidence,
  limited: Exchange,
  found: RetryOutcome & { readonly kind: 'rate-limited again' },
  waitSeconds: number,
): Retried {
  const { first } = found;
  const again = `${exchangeName(first)} answered 429 again`;
  if (takenByOthers(evidence, limited)) {
    const text = `${again} after Retry-After (${waitSeconds} s), but another client may be using this key and may have exhausted the quota meanwhile.`;
    return both(perhapsAnotherClient(text, [limited, first]));
  }
  const text = `Expected no 429 after Retry-After (${waitSeconds} s), but ${again}`;
  if (found.result === 'not retried')
    return both(inconclusive(`${text}; it was not tried once more.`, [limited, first]));
  const second = exchangeName(found.second);
  const exchanges = [limited, first, found.second];
  switch (found.result) {
    case 'no response':
      return both(inconclusive(`${text}; ${second} ${outcomeText(found.second)}.`, exchanges));
    case 'too early':
      return both(
        inconclusive(`${text}; ${second} was sent before the second Retry-After had passed.`, exchanges),
      );
    case 'rate-limited twice':
      return {
        kept: fail(`${text}, and so did ${second} after its Retry-After.`, exchanges),
        exact: inconclusive('Retry-After is wrong by more than rounding (RETRY-3).', exchanges),
      };
    case 'not rate-limited':
      return roundedDown(found, text, waitSeconds, exchanges);
  }
}

/** One 429 too many after the wait: at most a second of rounding, or more than that. */
function roundedDown(
  { first, second, waitSeconds: secondWait }: { first: Exchange; second: Exchange; waitSeconds: number },
  text: string,
  waitSeconds: number,
  exchanges: readonly Exchange[],
): Retried {
  const exact = warn(
    `${text} with a Retry-After of ${secondWait} s; only then ${exchangeName(second)} ${outcomeText(second)}.`,
    exchanges,
  );
  const kept =
    secondWait > 1
      ? exact
      : pass(
          `${exchangeName(first)} came after Retry-After (${waitSeconds} s) and was rate-limited once more; ${exchangeName(second)}, at most a second later, ${outcomeText(second)}: the wait was rounded down (RETRY-4).`,
          exchanges,
        );
  return { kept, exact };
}
