import type { RequirementId } from '../../spec/register.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { createRequest } from './category-requests.ts';
import { namer } from './names.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

/** A body that must be answered 400, and the requirement that says so. */
export interface InvalidBody {
  readonly step: string;
  readonly requirement: RequirementId;
  /** The body for a name that marks it; undefined for no body at all. */
  readonly body: (marker: string) => string | undefined;
  /** Why one honest reading of a standard lets a service accept it, where one does. */
  readonly acceptable?: string;
}

const json = (make: (marker: string) => unknown) => (marker: string) => JSON.stringify(make(marker));
const invalid = (
  requirement: RequirementId,
  step: string,
  make: (marker: string) => unknown,
): InvalidBody => ({ requirement, step, body: json(make) });

/**
 * Every body that the specification says is invalid: one row a body, because
 * parsers take another path for each of them. The marker is a name that the
 * target accepts elsewhere, so that a 400 is about what is invalid; every string
 * of these bodies is the marker, so that a creation that was rejected and made
 * anyway is found.
 */
export const invalidBodies: readonly InvalidBody[] = [
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
  invalid('CREATE-7', 'body is a string', (marker) => marker),
  invalid('CREATE-7', 'body is a number', () => 5),
  invalid('CREATE-7', 'body is null', () => null),
  { requirement: 'CREATE-8', step: 'no body', body: () => undefined },
  { requirement: 'CREATE-8', step: 'empty body with a content type', body: () => '' },
  { requirement: 'CREATE-9', step: 'truncated JSON', body: (marker) => `{"name":"${marker}"` },
  {
    requirement: 'CREATE-9',
    step: 'text after the JSON',
    body: (marker) => `{"name":"${marker}"}bla`,
    acceptable: 'RFC 8259 §9 lets a parser accept forms that are not JSON, so this is a warning.',
  },
];

/** Everything that must be answered 400. */
export const rejections: Probe = {
  id: 'rejections',
  asks: 'creations with invalid bodies, one of each kind',
  cost: () => ({ ...nothing, keyed: invalidBodies.length }),
  async run(pacer, inputs) {
    const name = namer(pacer, inputs);
    for (const [index, { step, body }] of invalidBodies.entries()) {
      await pacer.sendWithKeyAndRetry(step, request(body(name(`bad-${index + 1}`))));
    }
  },
};

function request(body: string | undefined): ProbeRequest {
  if (body !== undefined) return createRequest(body);
  const { body: _, ...bodiless } = createRequest('');
  return bodiless;
}
