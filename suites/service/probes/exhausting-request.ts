import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { categoryNamer } from './category-names.ts';
import { createRequest, listRequest } from './category-requests.ts';
import { exhaustingOperation } from './exhausting-operation.ts';
import type { RunInputs } from './probe.ts';

/** The next request that uses the quota, the `i`th of its batch: a list, or something quicker where lists take too long. */
export function exhaustingRequest(
  pacer: Pacer,
  inputs: RunInputs,
  more: Partial<ProbeRequest>,
  i = 0,
): ProbeRequest {
  const { exchanges } = pacer.session;
  const operation = exhaustingOperation(exchanges, pacer.limits);
  switch (operation.kind) {
    case 'list':
      return listRequest(more);
    case 'named operation':
      return listRequest({ ...more, path: operation.path });
    case 'creation':
      return createRequest({ name: categoryNamer(pacer, inputs)(`use-${exchanges.length + i}`) }, more);
  }
}
