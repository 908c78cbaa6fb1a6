import { statusOf } from '../../../kernel/exchanges/headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { PLAINER_NAMES, remainingNameForms } from './category-names.ts';
import type { NewCategoryBody } from './category-requests.ts';
import { createRequest, isRejected, readBody } from './category-requests.ts';
import type { RunInputs } from './probe.ts';
import { stepsNamed } from './probe.ts';
import { carriedBy } from './real-data.ts';
import type { CarryingFields } from './stored-values.ts';
import { nextStoredValues } from './stored-values.ts';

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

/** The shortest plain description: five lower-case letters. */
const PLAIN_DESCRIPTION = 'plain';

/** A plain description for a service that has a least length of descriptions: a sentence of 26 characters. */
export const LONGER_DESCRIPTION = 'Made by a conformance run.';

const WITH_PLAIN_TEXTS = 'again with plain texts';
const WITH_A_LONGER_DESCRIPTION = 'with a longer description';

/** The plain description that the target accepts, as far as a run knows. */
export const plainDescription = ({ session }: Pacer): string =>
  session.exchanges.some(
    (exchange) => statusOf(exchange) === 201 && readBody(exchange)?.description === LONGER_DESCRIPTION,
  )
    ? LONGER_DESCRIPTION
    : PLAIN_DESCRIPTION;

/**
 * Sends a creation. Where the target rejects it, sends it again with plain
 * texts, with each plainer name, and with a longer description, too: "Length
 * bounds … not shown". A target that accepts the first one gets one request.
 */
export async function sendValidCreation(
  pacer: Pacer,
  inputs: RunInputs,
  creation: ValidCreation,
): Promise<void> {
  const { contentType } = creation;
  for (const { step, body } of attempts(pacer, inputs, creation)) {
    const exchange = await pacer.sendWithKeyAndRetry(step, createRequest(body, { contentType }));
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
  const accepted = plainDescription(pacer);
  const plain = ({ write }: Pick<typeof current, 'write'>, text = accepted): NewCategoryBody => ({
    name: write(what),
    ...(described ? { description: text } : {}),
  });
  const longer = described && accepted !== LONGER_DESCRIPTION;
  const forms = [{ ...current, again: WITH_PLAIN_TEXTS }, ...plainer];
  const all = [
    { step, body: firstBody(pacer, inputs, creation, plain(current)) },
    ...forms.map((form) => ({ step: `${step}, ${form.again}`, body: plain(form) })),
    ...(longer ? forms : []).map((form) => ({
      step: `${step}, ${WITH_A_LONGER_DESCRIPTION}, ${form.again}`,
      body: plain(form, LONGER_DESCRIPTION),
    })),
  ];
  return all.filter(({ body }, i) => all.findIndex((one) => isSameBody(one.body, body)) === i);
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

/** The most requests that one creation takes. */
export const MOST_ATTEMPTS = 1 + 2 * PLAINER.length;

/** The steps that send a creation again with another description or a plainer name, in their order. */
export const plainerAttempts = <const Step extends string>(step: Step) => ({
  ...stepsNamed(PLAINER.map((again) => `${step}, ${again}` as const)),
  ...stepsNamed(PLAINER.map((again) => `${step}, ${WITH_A_LONGER_DESCRIPTION}, ${again}` as const)),
});

/** The steps that may send this creation, in their order. */
export const stepsOfCreation = (step: string): readonly string[] => [
  step,
  ...Object.values(plainerAttempts(step)),
];

/** Whether these are the plainest name and a plain description, or none. */
export const isPlainest = ({ name, description }: NewCategoryBody): boolean =>
  /^[A-Z][a-z]{7}$/.test(name) &&
  (description === undefined || description === PLAIN_DESCRIPTION || description === LONGER_DESCRIPTION);
