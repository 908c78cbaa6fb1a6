import type { RunRecord } from '../../kernel/findings/record.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { section } from './document.ts';
import type { Fact } from './facts.ts';
import { factList } from './facts.ts';

/** By what the verdicts of a record can be reached again. */
interface Provenance extends Pick<RunRecord, 'suite' | 'product'> {
  readonly schemaVersion: number;
  /** Absent in the load reports of earlier versions. */
  readonly spec?: RunRecord['spec'];
  /** What was recorded, with its digests. */
  readonly recorded: readonly Fact[];
  /** How the verdicts are reached again, in a sentence. */
  readonly again: Markup;
}

/** The end of the first page: versions and digests, and what is not verified. */
export function provenanceSection(of: Provenance): Markup {
  const { suite, spec, product, schemaVersion, recorded, again } = of;
  const facts: readonly Fact[] = [
    ['Suite', markup`${suite.name} ${suite.version}, report schema ${schemaVersion}`],
    ...(spec === undefined
      ? []
      : [['Specification', markup`version ${spec.version}, <code>${spec.digest}</code>`] as const]),
    ...recorded,
  ];
  const stated =
    product === undefined ? '' : ' The product is named as the user stated it; nothing here verifies that.';
  return section(
    'provenance',
    'Versions and digests',
    markup`${factList(facts)}<p class="quiet">${again}${stated}</p>
`,
    'provenance',
  );
}
