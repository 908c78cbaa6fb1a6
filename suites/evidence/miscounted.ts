import type { Exchange } from '../../exchanges/exchange.ts';
import type { Discrepancy } from '../../rate-limits/explanation.ts';
import { recount } from '../probes/recount.ts';
import { discrepancies } from '../probes/uses.ts';
import type { Evidence } from './evidence.ts';

/**
 * Where Remaining does not follow the requests: the first stretch that shows it
 * in a way only the target can cause, else the first one at all. Of a fall that
 * another client could have caused, what rose besides is held against the
 * target if it rose again when the count was repeated in another order.
 */
export function miscounted(evidence: Evidence): Discrepancy | undefined {
  const found = discrepancies(evidence.exchanges, evidence.run.limits, evidence.exclusive);
  const [first] = found;
  const certain = found.find(({ explanation }) => explanation.kind !== 'fell beyond use');
  if (certain !== undefined || first === undefined) return certain;
  const risen = (one: (typeof found)[number]): number =>
    one.explanation.kind === 'fell beyond use' ? one.explanation.risen : 0;
  const again = found.find(({ use }) => use.series.some(({ exchanges }) => exchanges.some(isRecount)));
  if (again === undefined || again === first || risen(first) === 0 || risen(again) === 0) return first;
  return {
    explanation: { kind: 'not counted', unexplained: risen(again) },
    exchanges: [...first.exchanges, ...again.exchanges],
  };
}

const isRecount = ({ probe, step }: Exchange): boolean =>
  probe === recount.id && step === recount.steps.anotherOrder;
