import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

/** The OpenAPI document that the target publishes, kept as evidence. It was fetched without any key. */
export const openapiDocument: Probe = {
  id: 'openapi-document',
  asks: 'the OpenAPI document that the target publishes',
  cost: (means) => (means.openapi === undefined ? null : nothing),
  async run(pacer, means) {
    if (means.openapi !== undefined) pacer.session.keep(means.openapi.source, means.openapi.text);
  },
};
