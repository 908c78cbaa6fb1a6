import type { Exchange } from '../../exchanges/exchange.ts';
import { statusOf } from '../../exchanges/headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { PLAINER_NAMES, remainingNameForms } from './category-names.ts';
import { createRequest } from './category-requests.ts';
import type { RunInputs } from './probe.ts';
import { stepsNamed } from './probe.ts';

/** A creation that the specification allows, apart from bounds of `name` and `description` that it does not show. */
export interface ValidCreation {
  readonly step: string;
  /** The part of the name that tells this creation from the others. */
  readonly what: string;
  /** The description that is sent first; none for a name alone. */
  readonly description?: string;
  readonly contentType?: string;
}

/** A description that every reasonable service accepts: five lower-case letters. */
export const PLAIN_DESCRIPTION = 'plain';

const WITH_PLAIN_DESCRIPTION = 'again with a plain description';

/** Whether the target rejected the body: 400, or 422 as many frameworks do by default (RFC 9110 §15.5.21). */
export function isRejected(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status === 400 || status === 422;
}

/**
 * Sends a creation. Where the target rejects it, sends it again with a plainer
 * description, and with each plainer name: "Length bounds … not shown". A
 * target that accepts the first one gets one request.
 */
export async function sendValidCreation(
  pacer: Pacer,
  inputs: RunInputs,
  creation: ValidCreation,
): Promise<void> {
  const { contentType } = creation;
  const more: Partial<ProbeRequest> = contentType === undefined ? {} : { contentType };
  for (const { step, body } of attempts(pacer, inputs, creation)) {
    const exchange = await pacer.sendWithKeyAndRetry(step, createRequest(body, more));
    if (exchange === undefined || !isRejected(exchange)) return;
  }
}

interface Attempt {
  readonly step: string;
  readonly body: { readonly name: string; readonly description?: string | undefined };
}

function attempts(pacer: Pacer, inputs: RunInputs, creation: ValidCreation): readonly Attempt[] {
  const { step, what, description } = creation;
  const [current, ...plainer] = remainingNameForms(pacer, inputs);
  const name = current.write(what);
  if (description === undefined) {
    return [
      { step, body: { name } },
      ...plainer.map((form) => ({ step: `${step}, ${form.again}`, body: { name: form.write(what) } })),
    ];
  }
  const plain = { description: PLAIN_DESCRIPTION };
  return [
    { step, body: { name, description } },
    { step: `${step}, ${WITH_PLAIN_DESCRIPTION}`, body: { name, ...plain } },
    ...plainer.map((form) => ({
      step: `${step}, ${form.again}`,
      body: { name: form.write(what), ...plain },
    })),
  ];
}

const PLAINER = [WITH_PLAIN_DESCRIPTION, ...PLAINER_NAMES] as const;

/** The steps that send a creation again with a plainer description or name, in their order. */
export const plainerAttempts = <const Step extends string>(step: Step) =>
  stepsNamed(PLAINER.map((again) => `${step}, ${again}` as const));

/** The steps that may send this creation, in their order. */
export const stepsOfCreation = (step: string): readonly string[] => [
  step,
  ...Object.values(plainerAttempts(step)),
];

/** Whether this is the plainest name and description that a run sends. */
export const isPlainest = ({ name, description }: Attempt['body']): boolean =>
  /^[A-Z][a-z]{7}$/.test(name) && (description === undefined || description === PLAIN_DESCRIPTION);
