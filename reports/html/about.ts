import type { RunRecord } from '../../kernel/findings/record.ts';
import { bounded } from '../foreign-text.ts';
import { requestsOf } from '../outcome.ts';
import { subjectFacts } from '../subject.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import type { Section } from './document.ts';
import type { Fact } from './facts.ts';
import { ADDRESS_LIMIT, FACT_LIMIT, factList, productFacts, timeFacts } from './facts.ts';
import { code } from './prose.ts';

/** By what the verdicts of a record can be reached again. */
interface Provenance extends Pick<RunRecord, 'suite' | 'product'> {
  readonly schemaVersion: number;
  /** Absent in the load reports of earlier versions. */
  readonly spec?: RunRecord['spec'];
  /** What was tested, and how. */
  readonly facts: readonly Fact[];
  /** What was recorded, with its digests. */
  readonly recorded: readonly Fact[];
  /** How the verdicts are reached again, in a sentence. */
  readonly again: Markup;
}

/** The end of a page: what was tested, versions and digests, and what is not verified. */
export function aboutSection(of: Provenance): Section {
  const { suite, spec, product, schemaVersion, facts, recorded, again } = of;
  const versions: readonly Fact[] = [
    ['Suite', markup`${suite.name} ${suite.version}, report schema ${schemaVersion}`],
    ...(spec === undefined
      ? []
      : [['Specification', markup`version ${spec.version}, <code>${spec.digest}</code>`] as const]),
    ...recorded,
  ];
  const stated =
    product === undefined ? '' : ' The product is named as the user stated it; nothing verifies that.';
  return {
    id: 'about',
    title: 'About this run',
    content: markup`${factList([...productFacts(product), ...facts, ...versions])}<p class="quiet">${again}${stated}</p>
`,
  };
}

/** What a certification run tested, and by what it can be checked. */
export const runSection = ({ journal, ...record }: RunRecord): Section =>
  aboutSection({
    ...record,
    facts: [
      ...subjectFacts(record).map(
        ({ name, kind, value }): Fact => [
          name,
          kind === 'code' ? code(value, ADDRESS_LIMIT) : markup`${bounded(value, FACT_LIMIT)}`,
        ],
      ),
      ...timeFacts(record),
      ['Sent', markup`${requestsOf(record)}`],
      ...(record.strict ? [['Strict', markup`every warning counts as a failure`] as const] : []),
    ],
    recorded: [
      [
        'Journal',
        journal === undefined ? markup`not recorded in a file` : markup`<code>${journal.digest}</code>`,
      ],
    ],
    again: markup`The verdicts rest on the recorded exchanges alone: <code>petstore-conformance judge journal.ndjson</code> of this version reaches them again, offline.`,
  });
