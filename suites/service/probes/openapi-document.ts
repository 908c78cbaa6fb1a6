import type { Probe } from './probe.ts';

/** The OpenAPI document that the target publishes and those that it refers to, kept as evidence. They were fetched without a key. */
export const openapiDocument: Probe<Record<never, string>> = {
  id: 'openapi-document',
  description: 'the OpenAPI document that the target publishes',
  steps: {},
  cost: (inputs) => (inputs.openapi === undefined ? null : {}),
  async run(pacer, inputs) {
    for (const document of inputs.openapi ?? []) pacer.session.recordDocument(document);
  },
};
