import type { RequirementId } from '../../../spec/register.ts';
import { categoryNamer } from './category-names.ts';
import { createRequest } from './category-requests.ts';
import type { Probe } from './probe.ts';
import { stepsNamed } from './probe.ts';

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

/**
 * Every body that the specification says is invalid, one row for each body, because parsers take another path for each
 * of them. The marker is a name that the target accepts elsewhere, so a 400 is about the invalid part. Every string in
 * these bodies is the marker, so a list shows a category that was created in spite of a 400.
 */
export const invalidBodies: readonly InvalidBody<keyof typeof steps>[] = bodies;

const sendingBodies = (description: string, sent: typeof invalidBodies): Probe<typeof steps> => ({
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
});

/** Every creation that must be answered 400. */
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
