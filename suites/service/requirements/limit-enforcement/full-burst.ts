import { countOf } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited, spanText } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../../kernel/findings/judgement.ts';
import { readingOf } from '../../../../kernel/rate-limits/series.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { takenByOthers, unlessAnotherClient } from '../../evidence/uses.ts';
import { durationOf, fullBurst } from '../../probes/full-burst.ts';

/**
 * Whether a bucket that holds few requests counts those that are sent at the
 * same time: from a full bucket it accepts at once no more than one after
 * another in at least as long a time. Undefined where this was not asked.
 */
export function holdsFromFullBucket(evidence: Evidence): Judgement | undefined {
  const first = sentIn(evidence, fullBurst.steps.together);
  if (first.length === 0) return undefined;
  const again = sentIn(evidence, fullBurst.steps.togetherAgain);
  const limited = [...first, ...again].find(isRateLimited);
  if (limited !== undefined) return counted(first.includes(limited) ? first : again);
  const cited = [...first, ...again];
  const answered = (batch: readonly Exchange[]): boolean => batch.length > 0 && batch.every(accepted);
  if (!answered(first)) return inconclusive('Not all requests at the same time got a response.', first);
  const apart = sentIn(evidence, fullBurst.steps.apart);
  // A request whose response was lost may have been counted.
  const held = apart.filter((exchange) => !isRateLimited(exchange)).length;
  if (!answered(again) || first.length <= held || !lastedLonger(apart, first, again))
    return inconclusive(
      `A full bucket accepted all of ${first.length} requests at the same time. Nothing shows that it accepts fewer one after another.`,
      cited,
    );
  const adverse = fail(
    {
      expected: `at most ${countOf(held, 'accepted request')} at the same time, as one after another`,
      received: `${first.length} and ${again.length} at the same time${spanText(cited)}`,
      reasoning: `One after another from a full bucket, over a longer time, the last one received 429${spanText(apart)}.`,
    },
    cited,
  );
  return mayHaveBeenUsed(evidence, apart, held)
    ? unlessAnotherClient(evidence, adverse, 'Another client may have used the bucket between them.')
    : adverse;
}

/**
 * Whether another client may be why so few were accepted one after another: one shows elsewhere in the run, or a
 * response states that the bucket holds more.
 */
function mayHaveBeenUsed(evidence: Evidence, apart: readonly Exchange[], held: number): boolean {
  const limited = apart.find(isRateLimited);
  if (limited === undefined || takenByOthers(evidence, limited)) return true;
  const { perMinute } = evidence.run.limits;
  return evidence.by('key').some((exchange) => {
    const reading = accepted(exchange) ? readingOf(exchange) : undefined;
    return reading?.limit === perMinute && reading.remaining + 1 > held;
  });
}

/** Every request of a step, those that were rate-limited included. */
const sentIn = (evidence: Evidence, step: string): readonly Exchange[] =>
  evidence.exchanges.filter((exchange) => exchange.probe === fullBurst.id && exchange.step === step);

/** A batch has one request more than were accepted one after another; where it accepts fewer, its 429 are of another limit. */
function counted(batch: readonly Exchange[]): Judgement {
  const limited = batch.filter(isRateLimited);
  const taken = batch.filter(accepted).length;
  const text = `Of ${countOf(batch.length, 'request')} sent at the same time to a full bucket ${taken} were accepted and ${limited.length} rate-limited`;
  const cited = [...batch.slice(0, 2), ...limited.slice(0, 1)];
  return taken < batch.length - 1
    ? inconclusive(
        `${text}: fewer than one after another over one connection, so a limit of requests in flight or of new connections may have come first, and nothing shows how the bucket counts them. Exempt the address of this run from it.`,
        cited,
      )
    : pass(`${text}: no more than one after another.`, cited);
}

/** Whether these requests, one after another, ended in a 429 and surely lasted longer than each batch. */
function lastedLonger(apart: readonly Exchange[], ...batches: readonly (readonly Exchange[])[]): boolean {
  const [begun] = apart;
  const limited = apart.find(isRateLimited);
  if (begun === undefined || limited === undefined || !accepted(begun)) return false;
  const lasted = limited.sent.mono - begun.received.mono;
  return batches.every((batch) => durationOf(batch) <= lasted);
}
