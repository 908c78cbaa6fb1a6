import type { Exchange } from '../../exchanges/exchange.ts';
import { statusOf } from '../../exchanges/headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { createRequest } from './category-requests.ts';
import { formsLeft, nameForms } from './names.ts';
import type { RunInputs } from './probe.ts';

/** A creation that the specification allows, but for bounds of `name` and `description` that it does not show. */
export interface ValidCreation {
  readonly step: string;
  /** What the name says of the creation. */
  readonly what: string;
  /** The description that is sent first; none for a name alone. */
  readonly description?: string;
  readonly contentType?: string;
}

/** A description that every reasonable service accepts: five lower-case letters. */
export const PLAIN_DESCRIPTION = 'plain';

const AGAIN_DESCRIPTION = 'again with a plain description';

/** Whether the target rejected the body: 400, or 422 as many frameworks do by default (RFC 9110 §15.5.21). */
export function rejected(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status === 400 || status === 422;
}

/**
 * Asks for a creation, and where the target rejects it once more for each
 * plainer description and name: "Length bounds … not shown". A target that
 * accepts the first one is asked once.
 */
export async function createValid(pacer: Pacer, inputs: RunInputs, creation: ValidCreation): Promise<void> {
  for (const { step, body } of attempts(pacer, inputs, creation)) {
    const { contentType } = creation;
    const more: Partial<ProbeRequest> = contentType === undefined ? {} : { contentType };
    const exchange = await pacer.sendWithKeyAndRetry(step, createRequest(body, more));
    if (exchange === undefined || !rejected(exchange)) return;
  }
}

interface Attempt {
  readonly step: string;
  readonly body: { readonly name: string; readonly description?: string | undefined };
}

function attempts(pacer: Pacer, inputs: RunInputs, creation: ValidCreation): readonly Attempt[] {
  const { step, what, description } = creation;
  const [used, ...plainer] = formsLeft(pacer, inputs);
  const name = used.write(what);
  if (description === undefined) {
    return [
      { step, body: { name } },
      ...plainer.map((form) => ({ step: `${step}, ${form.again}`, body: { name: form.write(what) } })),
    ];
  }
  const plain = { description: PLAIN_DESCRIPTION };
  return [
    { step, body: { name, description } },
    { step: `${step}, ${AGAIN_DESCRIPTION}`, body: { name, ...plain } },
    ...plainer.map((form) => ({
      step: `${step}, ${form.again}`,
      body: { name: form.write(what), ...plain },
    })),
  ];
}

const forms = nameForms({ tag: '' }).flatMap(({ again }) => again ?? []);

/** The steps that may ask for this creation, in their order. */
export const stepsOfCreation = (step: string): readonly string[] => [
  step,
  `${step}, ${AGAIN_DESCRIPTION}`,
  ...forms.map((again) => `${step}, ${again}`),
];

/** Whether nothing plainer than this name and description is left to ask for. */
export const isPlainest = ({ name, description }: Attempt['body']): boolean =>
  /^[A-Z][a-z]{7}$/.test(name) && (description === undefined || description === PLAIN_DESCRIPTION);
