import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../../kernel/exchanges/exchange-text.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { warn } from '../../../../kernel/findings/judgement.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { firstBatch, secondBatch } from '../../probes/creations.ts';

/**
 * A valid creation that got 409 only because another one was under way (CREATE-1): the same body, sent alone, was
 * answered 201, so the 409 was no rule about its texts. A service may ask a client to repeat what collided, so it warns.
 */
export function conflictBesideAnother(evidence: Evidence): Judgement | undefined {
  for (const probe of [firstBatch, secondBatch]) {
    const [alone] = evidence.step(probe, probe.steps.alone);
    const before = evidence.step(probe, probe.steps.parallel).find((one) => isConflictOf(one, alone));
    if (alone === undefined || before === undefined || statusOf(alone) !== 201) continue;
    return warn(
      {
        expected: '201 for a valid creation, whatever is created at the same time',
        received: `409 in ${exchangeName(before)} beside another creation, and 201 for the same body alone in ${exchangeName(alone)}`,
        reasoning:
          'The 409 is no rule about the name or the description, since the same ones were accepted alone. A usual cause is an id that both creations were given, as MAX(id) + 1 without a lock gives it.',
      },
      [before, alone],
    );
  }
  return undefined;
}

const isConflictOf = (one: Exchange, alone: Exchange | undefined): boolean =>
  statusOf(one) === 409 && one.request.body?.text === alone?.request.body?.text;
