import packageJson from '../../package.json' with { type: 'json' };
import { productShape } from '../basics/product.ts';
import type { Static } from '../basics/shape.ts';
import {
  about,
  address,
  digest,
  exactly,
  listOf,
  maybe,
  moment,
  named,
  object,
  someText,
  text,
} from '../basics/shape.ts';

// What journals and records share, whatever was tested.

const selection = object('What a partial run was limited to; absent where the run was complete.', {
  kind: about(
    'selected: requirements that the user chose. quick: what needs no 429, with few requests.',
    exactly('selected', 'quick'),
  ),
  requirements: about('Ids of the register, in its order. Everything else is not judged.', listOf(text)),
});
export type Selection = Static<typeof selection>;

export const testedTarget = object('The service under test.', {
  baseUrl: about('Base address, as in https://host/v1.', address),
  plan: about('Plan of the key under test.', text),
  bundled: about('Present where it is the server that comes with this program.', maybe(exactly(true))),
});

/** By whom a run was recorded, for which specification and which product, and when. */
export const origin = {
  suite: object('The program that tested.', { name: someText, version: someText }),
  spec: object('The specification that was tested against.', {
    version: someText,
    digest: about('Of what the verdicts rest on, so that two reports can be compared.', digest),
  }),
  product: maybe(named('product', productShape)),
  selection: maybe(named('selection', selection)),
  startedAt: about('When the run began, in ISO 8601.', moment),
};

export const endLine = object(
  'The last line. A journal without one was cut off, and is judged as far as it goes.',
  {
    kind: exactly('end'),
    how: about('How the run ended.', exactly('finished', 'interrupted', 'failed')),
    because: about('Why, for a person.', text),
    finishedAt: about('When the run ended, in ISO 8601.', moment),
  },
);
export type EndLine = Static<typeof endLine>;

/** What the journal of a run holds, and where it is damaged. */
export interface JournalOf<Line> {
  readonly lines: readonly Line[];
  /** One sentence for each line that could not be read, with its number. */
  readonly damage: readonly string[];
  /** `sha256:…` of the bytes of the file; absent where the lines were never in one. */
  readonly digest?: string;
}

/** The name and version of this program in every journal and report. */
export const SUITE = { name: packageJson.name, version: packageJson.version } as const;
