import { statusOf } from '../../../kernel/exchanges/headers.ts';
import type { RequirementId } from '../../../spec/register.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { NewCategoryBody } from './category-requests.ts';
import {
  categoryNamer,
  createRequest,
  isRejected,
  PLAINER_NAMES,
  readBody,
  remainingNameForms,
} from './category-requests.ts';
import type { Probe, RunInputs } from './probe.ts';
import { stepsNamed } from './probe.ts';
import type { CarryingFields } from './stored-values.ts';
import { carriedBy, nextStoredValues } from './stored-values.ts';

/** A creation that the specification allows, apart from bounds of `name` and `description` that it does not show. */
interface ValidCreation {
  readonly step: string;
  /** The part of the name that tells this creation from the others. */
  readonly what: string;
  readonly description?: string;
  /** The fields that carry a property of real data first; by default none does. */
  readonly carries?: CarryingFields;
  readonly contentType?: string;
}

/** The shortest plain description: five lower-case letters. */
const PLAIN_DESCRIPTION = 'plain';

/** A plain description for a service that has a least length of descriptions: a sentence of 26 characters. */
export const LONGER_DESCRIPTION = 'Made by a conformance run.';

export const PLAIN_DESCRIPTIONS: ReadonlySet<string | undefined> = new Set([
  undefined,
  PLAIN_DESCRIPTION,
  LONGER_DESCRIPTION,
]);

const WITH_PLAIN_TEXTS = 'again with plain texts';
const WITH_A_LONGER_DESCRIPTION = 'with a longer description';

/** The plain description that the target accepts, as far as a run knows. */
export const plainDescription = ({ session }: Pacer): string =>
  session.exchanges.some(
    (exchange) => statusOf(exchange) === 201 && readBody(exchange)?.description === LONGER_DESCRIPTION,
  )
    ? LONGER_DESCRIPTION
    : PLAIN_DESCRIPTION;

/** Where it is rejected, again with plainer texts: "Length bounds … not shown". A target that accepts the first gets one request. */
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

function attempts(pacer: Pacer, inputs: RunInputs, creation: ValidCreation) {
  const { step, what, description, carries } = creation;
  const [current, ...plainer] = remainingNameForms(pacer, inputs);
  const described = description !== undefined || (carries !== undefined && carries !== 'name');
  const accepted = plainDescription(pacer);
  const plain = ({ write }: Pick<typeof current, 'write'>, text = accepted): NewCategoryBody => ({
    name: write(what),
    ...(described ? { description: text } : {}),
  });
  const forms = [{ ...current, again: WITH_PLAIN_TEXTS }, ...plainer];
  const all = [
    { step, body: firstBody(pacer, inputs, creation, plain(current)) },
    ...forms.map((form) => ({ step: `${step}, ${form.again}`, body: plain(form) })),
    ...forms.map((form) => ({
      step: `${step}, ${WITH_A_LONGER_DESCRIPTION}, ${form.again}`,
      body: plain(form, LONGER_DESCRIPTION),
    })),
  ];
  const isFirst = ({ name, description }: NewCategoryBody, i: number): boolean =>
    all.findIndex(({ body }) => body.name === name && body.description === description) === i;
  return all.filter(({ body }, i) => isFirst(body, i));
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

const PLAINER = [WITH_PLAIN_TEXTS, ...PLAINER_NAMES] as const;

export const MOST_ATTEMPTS = 1 + 2 * PLAINER.length;

/** The steps that send a creation again with another description or a plainer name, in their order. */
export const plainerAttempts = <const Step extends string>(step: Step) => ({
  ...stepsNamed(PLAINER.map((again) => `${step}, ${again}` as const)),
  ...stepsNamed(PLAINER.map((again) => `${step}, ${WITH_A_LONGER_DESCRIPTION}, ${again}` as const)),
});

export const stepsOfCreation = (step: string): readonly string[] => [
  step,
  ...Object.values(plainerAttempts(step)),
];

/** A body that must be answered 400, and the requirement that says so. */
export interface InvalidBody<Step extends string = string> {
  readonly step: Step;
  readonly requirement: RequirementId;
  /** The body for a name that marks it; undefined for no body at all. */
  readonly body: (marker: string) => string | undefined;
  /** Why an plausible reading of a standard lets a service accept it, where there is one. */
  readonly acceptable?: string;
}

const invalid = <const Step extends string>(
  requirement: RequirementId,
  step: Step,
  content: (marker: string) => unknown,
): InvalidBody<Step> => ({ requirement, step, body: (marker) => JSON.stringify(content(marker)) });

const bodies = [
  invalid('CREATE-4', 'no name', (marker) => ({ description: marker })),
  invalid('CREATE-5', 'name is a number', (marker) => ({ name: 123, description: marker })),
  invalid('CREATE-5', 'name is a boolean', (marker) => ({ name: true, description: marker })),
  invalid('CREATE-5', 'name is null', (marker) => ({ name: null, description: marker })),
  invalid('CREATE-5', 'name is an array', (marker) => ({ name: [marker] })),
  invalid('CREATE-5', 'name is an object', (marker) => ({ name: { value: marker } })),
  invalid('CREATE-6', 'description is a number', (marker) => ({ name: marker, description: 5 })),
  invalid('CREATE-6', 'description is a boolean', (marker) => ({ name: marker, description: false })),
  invalid('CREATE-6', 'description is an array', (marker) => ({ name: marker, description: [marker] })),
  invalid('CREATE-6', 'description is an object', (marker) => ({ name: marker, description: {} })),
  invalid('CREATE-7', 'body is an array', (marker) => [{ name: marker }]),
  // The text of a valid body: a service that parses twice takes it for one.
  invalid('CREATE-7', 'body is a string', (marker) => JSON.stringify({ name: marker })),
  invalid('CREATE-7', 'body is a number', () => 5),
  invalid('CREATE-7', 'body is null', () => null),
  { requirement: 'CREATE-8', step: 'no body', body: () => undefined },
  { requirement: 'CREATE-8', step: 'empty body with a content type', body: () => '' },
  { requirement: 'CREATE-9', step: 'truncated JSON', body: (marker: string) => `{"name":"${marker}"` },
  {
    requirement: 'CREATE-9',
    step: 'text after the JSON',
    body: (marker: string) => `{"name":"${marker}"}bla`,
    acceptable: 'RFC 8259 §9 lets a parser accept forms that are not JSON, so this is a warning.',
  },
] as const satisfies readonly InvalidBody[];

const steps = stepsNamed(bodies.map(({ step }) => step));

/** One row each, because parsers take another path for each. Every string is a name that is accepted elsewhere. */
export const invalidBodies: readonly InvalidBody<keyof typeof steps>[] = bodies;

const sendingBodies = (description: string, sent: typeof invalidBodies) =>
  ({
    id: 'rejections',
    description,
    steps,
    cost: () => ({ withKey: sent.length }),
    async run(pacer, inputs) {
      const name = categoryNamer(pacer, inputs);
      for (const [index, { step, body }] of invalidBodies.entries()) {
        if (!sent.some((one) => one.step === step)) continue;
        await pacer.sendWithKeyAndRetry(step, createRequest(body(name(`bad-${index + 1}`))));
      }
    },
  }) as const satisfies Probe;

export const rejections = sendingBodies('creations with invalid bodies, one of each kind', invalidBodies);

const IN_QUICK_RUN: ReadonlySet<string> = new Set<keyof typeof steps>([
  'no name',
  'name is a number',
  'name is null',
  'description is a number',
  'body is an array',
  'no body',
  'empty body with a content type',
  'truncated JSON',
]);

/** Some of them, for a quick run: the commonest of each requirement. */
export const someRejections = sendingBodies(
  'creations with the commonest invalid bodies',
  invalidBodies.filter(({ step }) => IN_QUICK_RUN.has(step)),
);
