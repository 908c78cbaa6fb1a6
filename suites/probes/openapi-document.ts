import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

/** The OpenAPI document that the target publishes and those that it refers to, kept as evidence. They were fetched without any key. */
export const openapiDocument: Probe = {
  id: 'openapi-document',
  asks: 'the OpenAPI document that the target publishes',
  cost: (inputs) => (inputs.openapi === undefined ? null : nothing),
  async run(pacer, inputs) {
    for (const document of inputs.openapi ?? []) pacer.session.keep(document);
  },
};
