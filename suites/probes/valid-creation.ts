import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { PLAINER_NAMES, remainingNameForms } from './category-names.ts';
import { createRequest } from './category-requests.ts';
import type { RunInputs } from './probe.ts';
import { stepsNamed } from './probe.ts';
import type { CarryingFields, NewCategoryBody } from './stored-values.ts';
import { carriedBy, isRejected, nextStoredValues } from './stored-values.ts';

/** A creation that the specification allows, apart from bounds of `name` and `description` that it does not show. */
export interface ValidCreation {
  readonly step: string;
  /** The part of the name that tells this creation from the others. */
  readonly what: string;
  /** The description that is sent first. */
  readonly description?: string;
  /** The fields that carry a property of real data first; by default none does. */
  readonly carries?: CarryingFields;
  readonly contentType?: string;
}

/** A description that every reasonable service accepts: five lower-case letters. */
export const PLAIN_DESCRIPTION = 'plain';

const WITH_PLAIN_TEXTS = 'again with plain texts';

/**
 * Sends a creation. Where the target rejects it, sends it again with plain
 * texts, and with each plainer name: "Length bounds … not shown". A target that
 * accepts the first one gets one request.
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
  readonly body: NewCategoryBody;
}

function attempts(pacer: Pacer, inputs: RunInputs, creation: ValidCreation): readonly Attempt[] {
  const { step, what, description, carries } = creation;
  const [current, ...plainer] = remainingNameForms(pacer, inputs);
  const described = description !== undefined || (carries !== undefined && carries !== 'name');
  const plain = (form: typeof current): NewCategoryBody => ({
    name: form.write(what),
    ...(described ? { description: PLAIN_DESCRIPTION } : {}),
  });
  const first = firstBody(pacer, inputs, creation, plain(current));
  const again = isSameBody(first, plain(current))
    ? []
    : [{ step: `${step}, ${WITH_PLAIN_TEXTS}`, body: plain(current) }];
  return [
    { step, body: first },
    ...again,
    ...plainer.map((form) => ({ step: `${step}, ${form.again}`, body: plain(form) })),
  ];
}

/** The body that is sent first. A field that cannot carry a property stays plain. */
function firstBody(
  pacer: Pacer,
  inputs: RunInputs,
  { description, carries }: ValidCreation,
  plain: NewCategoryBody,
): NewCategoryBody {
  if (carries === undefined) return description === undefined ? plain : { ...plain, description };
  const [body = plain] = nextStoredValues(pacer, inputs, 1, carries);
  const carried = carriedBy(body);
  return {
    ...plain,
    ...(carried.name === undefined ? {} : { name: body.name }),
    ...(carried.description === undefined ? {} : { description: body.description }),
  };
}

const isSameBody = (one: NewCategoryBody, other: NewCategoryBody): boolean =>
  one.name === other.name && one.description === other.description;

const PLAINER = [WITH_PLAIN_TEXTS, ...PLAINER_NAMES] as const;

/** The steps that send a creation again with a plainer description or name, in their order. */
export const plainerAttempts = <const Step extends string>(step: Step) =>
  stepsNamed(PLAINER.map((again) => `${step}, ${again}` as const));

/** The steps that may send this creation, in their order. */
export const stepsOfCreation = (step: string): readonly string[] => [
  step,
  ...Object.values(plainerAttempts(step)),
];

/** Whether this is the plainest name and description that a run sends. */
export const isPlainest = ({
  name,
  description,
}: {
  readonly name: string;
  readonly description?: string | undefined;
}): boolean =>
  /^[A-Z][a-z]{7}$/.test(name) && (description === undefined || description === PLAIN_DESCRIPTION);
