import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/operation.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Series } from '../../../kernel/rate-limits/series/series.ts';
import { upToFirst429 } from '../../../kernel/rate-limits/series/series.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { categoryNamer } from './category-names.ts';
import { createRequest, listRequest } from './category-requests.ts';
import type { RunInputs } from './probe.ts';
import { exhaustionSteps } from './quota-batches.ts';

/**
 * Sends again what led to the first 429 of a series, without the baseline request at its beginning: the same operations
 * in the same order, at the same time where they were under way at the same time, over new connections where those
 * were new. Stops at a 429. Only a body that was accepted gets another name.
 */
export async function replay(pacer: Pacer, inputs: RunInputs, series: Series): Promise<void> {
  for (const { exchanges } of upToFirst429(series).slice(1)) {
    if (pacer.isKeyStopped || pacer.isRateLimited) return;
    const name = categoryNamer(pacer, inputs);
    const requests = exchanges.map((one, i) => again(pacer, one, i, exchanges.length, name));
    const [only, second] = requests;
    if (only !== undefined && second === undefined)
      await pacer.sendWithKeyNow(
        only.method === 'POST' ? exhaustionSteps.creation : exhaustionSteps.oneByOne,
        only,
      );
    else await pacer.sendBatchWithKeyNow(exhaustionSteps.parallel, requests);
  }
}

/** The same request once more, the `i`th of so many at the same time. */
export function again(
  pacer: Pacer,
  one: Exchange,
  i: number,
  together: number,
  name: (what: string) => string,
): ProbeRequest {
  const { method, target, body, headers } = one.request;
  const kept = together === 1 ? 'kept' : (`parallel-${i + 1}` as const);
  const more = {
    path: target.slice(pacer.session.basePath.length),
    route: one.connection.fresh ? 'new' : kept,
  } as const;
  if (method !== 'POST') return listRequest(more);
  const isNew = isDocumentedOperation(one) && (accepted(one) || isRateLimited(one));
  if (isNew || body === null || body.encoding !== 'utf8') {
    const at = pacer.session.exchanges.length + i;
    return createRequest({ name: name(`like-${at}`) }, more);
  }
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return createRequest(body.text, { ...more, contentType: type ?? null });
}
