import { groupedNumber } from '../../../kernel/basics/text.ts';
import type { RecordedFile, RecordedFiles } from '../../../kernel/findings/load.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { bounded } from '../../foreign-text.ts';
import { aboutSection } from '../../html/about.ts';
import type { Section } from '../../html/document.ts';
import type { Fact } from '../../html/facts.ts';
import { ADDRESS_LIMIT, FACT_LIMIT, timeFacts } from '../../html/facts.ts';
import { code } from '../../html/prose.ts';
import { markup } from '../../written.ts';
import { keyNamesText, sentText } from '../texts.ts';

/** What a load run tested, what sent the requests, and by what the verdicts can be reached again. */
export function aboutLoadRun(record: LoadRecord): Section {
  const { environment, recorded, target, limits } = record;
  const { k6, http, node, platform, cpus } = environment;
  return aboutSection({
    ...record,
    facts: [
      ['Target', code(target.baseUrl, ADDRESS_LIMIT)],
      [
        'Plan',
        markup`${bounded(target.plan, FACT_LIMIT)}: ${groupedNumber(limits.perMinute)} requests in ${limits.minuteSeconds} s, ${groupedNumber(limits.perDay)} a day`,
      ],
      ['Keys, by name', markup`${bounded(keyNamesText(record), FACT_LIMIT)}`],
      ...timeFacts(record),
      ['Sent', markup`${sentText(record)}`],
      ['Ended', markup`${bounded(record.ended.because, FACT_LIMIT)}`],
      [
        'Sent by',
        markup`k6 ${bounded(k6, FACT_LIMIT)}${http === undefined ? '' : ` over ${http}`}, Node ${node}, ${platform}, ${cpus} CPUs`,
      ],
    ],
    recorded: recorded === undefined ? [] : recordedFacts(recorded),
    again: markup`The verdicts rest on the recorded samples alone: <code>petstore-conformance judge FOLDER</code> of this version reaches them again, offline.`,
  });
}

/** The digests of many runners are in the report for programs alone. */
function recordedFacts({ run, samples }: RecordedFiles): readonly Fact[] {
  const [only, ...others] = samples;
  return [
    ['Run', fileText(run)],
    [
      'Samples',
      only !== undefined && others.length === 0
        ? fileText(only)
        : markup`${samples.length} files; <code>report.json</code> has the digest of each`,
    ],
  ];
}

const fileText = ({ name, digest }: RecordedFile) =>
  markup`${bounded(name, FACT_LIMIT)}, <code>${digest}</code>`;
