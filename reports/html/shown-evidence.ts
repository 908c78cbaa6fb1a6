import { countOf } from '../../kernel/basics/text.ts';
import type { CommonRecord, EvidenceExcerpt, Finding } from '../../kernel/findings/record.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import type { Section } from './document.ts';
import { exchangeBody, exchangeTitle } from './exchange.ts';

/** The exchanges that a report shows, and how many cited ones it leaves to the journal. */
export interface ShownEvidence {
  readonly shown: readonly { readonly excerpt: EvidenceExcerpt; readonly entry: Markup }[];
  readonly omitted: number;
}

/** Bytes of all exchanges of a report together: it has to open at once, and to pass through e-mail. */
const MOST_BYTES = 1_500_000;

/** The exchanges that a report has space for: those first on which a verdict against the subject rests. */
export function shownEvidence({ evidence, requirements }: CommonRecord): ShownEvidence {
  const adverse = new Set(
    requirements.flatMap((one) => (isAgainst(one) ? one.exchanges.slice(0, FIRST) : [])),
  );
  const cited = new Set(requirements.flatMap((one) => one.exchanges.slice(0, FIRST)));
  const rank = ({ n }: EvidenceExcerpt): number => Number(adverse.has(n)) + Number(cited.has(n));
  let bytes = 0;
  const shown = evidence
    .toSorted((one, other) => rank(other) - rank(one))
    .flatMap((excerpt) => {
      if (bytes > MOST_BYTES) return [];
      const entry = evidenceEntry(excerpt);
      bytes += Buffer.byteLength(entry.toString());
      return bytes > MOST_BYTES ? [] : [{ excerpt, entry }];
    })
    .sort((one, other) => one.excerpt.n - other.excerpt.n);
  return { shown, omitted: evidence.length - shown.length };
}

/** The exchanges of a finding that are shown before the further ones of others. */
const FIRST = 3;

const isAgainst = ({ verdict }: Finding): boolean => verdict === 'fail' || verdict === 'warn';

const evidenceEntry = (one: EvidenceExcerpt): Markup =>
  markup`<details class="exchange"><summary>${exchangeTitle(one)}</summary>
<div id="exchange-${one.n}">${exchangeBody(one)}</div>
</details>
`;

/** Every exchange that the report shows, collapsed, each under the address `#exchange-N` to which the rest of the report links. */
export function evidenceSection({ shown, omitted }: ShownEvidence): Section | undefined {
  if (shown.length === 0) return undefined;
  const missing =
    omitted === 0
      ? ''
      : ` ${countOf(omitted, 'further cited exchange')} would make this file too large, so only the journal has ${omitted === 1 ? 'it' : 'them'}.`;
  return {
    id: 'evidence',
    title: 'Evidence',
    classes: 'more',
    content: markup`<p>The exchanges that this report cites, shortened. The journal contains all exchanges in full.${missing}</p>
${shown.map(({ entry }) => entry)}`,
  };
}
