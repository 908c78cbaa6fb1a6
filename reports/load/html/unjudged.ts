import { countOf } from '../../../kernel/basics/text.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { isThreshold } from '../../../spec/register.ts';
import { bounded } from '../../foreign-text.ts';
import type { Section } from '../../html/document.ts';
import { prose } from '../../html/prose.ts';
import { markup } from '../../written.ts';
import { idsText, totalOfKeys } from '../texts.ts';

const REASON_LIMIT = 160;

/** What the verdict of a load run says nothing about, and why. */
export function unjudgedSection(record: LoadRecord): Section {
  const items = [...undecided(record), ...unrecorded(record), ...withoutThreshold(record), ...OTHERS];
  return {
    id: 'unjudged',
    title: 'Not judged',
    content: markup`<ul>
${items.map(([what, why]) => markup`<li><strong>${what}:</strong> ${prose(why)}</li>\n`)}</ul>
`,
  };
}

/** What was not judged, and the reason. */
type Unjudged = readonly [what: string, why: string];

function undecided({ requirements }: LoadRecord): readonly Unjudged[] {
  const open = requirements.filter(({ verdict }) => verdict === 'inconclusive');
  if (open.length === 0) return [];
  return [[idsText(open), 'inconclusive; the expectations above state the reasons.']];
}

function unrecorded(record: LoadRecord): readonly Unjudged[] {
  const { planned, sent } = totalOfKeys(record);
  if (sent >= planned) return [];
  const what = `${planned - sent} of ${countOf(planned, 'planned request')}`;
  return [[what, `not recorded as sent. ${bounded(record.ended.because, REASON_LIMIT)}`]];
}

function withoutThreshold({ requirements }: LoadRecord): readonly Unjudged[] {
  if (requirements.some(({ id }) => isThreshold(id))) return [];
  return [
    [
      'How fast responses must be',
      'the specification does not state it, and no threshold was set (`--thresholds`). Latencies are judged only where an expectation compares them with each other.',
    ],
  ];
}

const OTHERS: readonly Unjudged[] = [
  [
    'Everything else',
    'other profiles judge more of the behaviour under load, and `certify` judges the requirements of the specification one by one.',
  ],
];
