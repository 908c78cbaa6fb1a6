import type { Product } from '../../../kernel/basics/product.ts';
import { SUITE } from '../../../kernel/findings/suite.ts';
import type { ClientDescription, ClientRunLine, EndLine } from '../model/journal.ts';

/** The specification that a client is tested against, as the journal names it. */
export type SpecificationName = ClientRunLine['spec'];

/** The first line of a journal that begins now. */
export const headLine = (
  client: ClientDescription,
  { version, digest }: SpecificationName,
  { starts, selection }: Pick<ClientRunLine, 'starts' | 'selection'>,
  product: Product | undefined,
): ClientRunLine => ({
  kind: 'client-run',
  journalVersion: 1,
  suite: SUITE,
  spec: { version, digest },
  client,
  ...(product === undefined ? {} : { product }),
  ...(selection === undefined ? {} : { selection }),
  starts: starts.map(({ start, scenario, repetition }) => ({ start, scenario, repetition })),
  startedAt: new Date().toISOString(),
});

/** The last line of a journal that ends now. */
export const endLine = (how: EndLine['how'], because: string): EndLine => ({
  kind: 'end',
  how,
  because,
  finishedAt: new Date().toISOString(),
});
