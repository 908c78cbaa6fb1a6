import { countOf, quoted } from '../../../kernel/basics/text.ts';
import type { Fact } from '../../../kernel/findings/finding-text.ts';
import type { BodyReading, Sample } from '../../model/sample.ts';

type WrongBody = BodyReading & { readonly kind: 'wrong' };

const EXPECTED: Readonly<Record<Sample['operation'], string>> = {
  list: 'a JSON list of categories',
  create: 'the created category',
};

const FOUND: Readonly<Record<WrongBody['problem'], string>> = {
  'not JSON': 'a text that is not JSON',
  'no list of categories': 'something that is no list of items with an id and a name',
  'no category': 'something that is no category with an id and a name',
  'category of another request': 'the category of another request, sent at the same time or earlier',
};

/** The first body that is wrong; undefined where there is none. */
export function wrongBody(samples: readonly Sample[]): Fact | undefined {
  for (const sample of samples) {
    const body = bodyOf(sample);
    if (body?.kind === 'wrong') return wrongFact(sample, body);
  }
  return undefined;
}

/** The first id that two creations received, in two sentences; undefined where there is none. The specification says only that the service assigns it (CREATE-11, a SHOULD). */
export function repeatedId(samples: readonly Sample[]): string | undefined {
  const created = new Map<string, Sample>();
  for (const sample of samples) {
    const body = bodyOf(sample);
    if (body?.kind !== 'category' || body.id === undefined) continue;
    const before = created.get(body.id);
    if (before !== undefined && before.n !== sample.n)
      return `Requests ${before.n} and ${sample.n} both created a category with the id ${quoted(body.id)}. The specification does not say that ids differ, so this is a doubt (CREATE-11).`;
    created.set(body.id, sample);
  }
  return undefined;
}

const wrongFact = ({ n, operation }: Sample, { problem, excerpt }: WrongBody): Fact => ({
  expected: `${EXPECTED[operation]} in the body of request ${n}`,
  received: FOUND[problem],
  reasoning: excerpt === '' ? 'It is empty.' : `It begins with ${quoted(excerpt)}.`,
});

/** How many bodies were read, in a sentence that begins with a space. */
export function readOf(samples: readonly Sample[]): string {
  const read = samples.filter((sample) => bodyOf(sample) !== undefined).length;
  return read === 0 ? ' No body was read.' : ` Of these, ${countOf(read, 'body was', 'bodies were')} read.`;
}

const bodyOf = ({ outcome }: Sample): BodyReading | undefined =>
  outcome.kind === 'answer' ? outcome.body : undefined;
