import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { receivedText } from '../../../../kernel/exchanges/exchange-text.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import { accepted } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail } from '../../../../kernel/findings/judgement.ts';
import { createdBy, lists, sentCategory } from '../../evidence/categories.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { sentText } from '../../evidence/valid-creations.ts';
import { firstBatch, secondBatch } from '../../probes/creations.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';

/** The probes whose creations the specification allows, beside the first ones. */
const FURTHER: ReadonlySet<string> = new Set([firstBatch.id, secondBatch.id, exhaustQuota.id]);

/**
 * A further valid creation that succeeded with another status than "201: JSON Category" (CREATE-1). That it created
 * its category shows in the response or in a list: a success without effect may be a limit in disguise (LIMIT-3).
 */
export function otherSuccess(evidence: Evidence): Judgement | undefined {
  const other = evidence
    .by('key')
    .find(
      (one) =>
        FURTHER.has(one.probe) &&
        one.request.method === 'POST' &&
        accepted(one) &&
        statusOf(one) !== 201 &&
        hasCreated(evidence, one),
    );
  if (other === undefined) return undefined;
  return fail(
    {
      expected: '201 for each valid creation',
      received: `${receivedText(other)}, a creation that created its category (${sentText(other)})`,
    },
    [other],
  );
}

function hasCreated(evidence: Evidence, creation: Exchange): boolean {
  const name = sentCategory(creation)?.name;
  if (name === undefined) return false;
  return (
    createdBy(evidence, creation)?.name === name ||
    lists(evidence).some(
      ({ exchange, contents }) => exchange.n > creation.n && contents.named(name).length > 0,
    )
  );
}
