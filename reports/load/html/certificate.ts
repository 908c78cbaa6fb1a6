import { groupedNumber } from '../../../kernel/basics/text.ts';
import type { LoadFinding, LoadRecord, RecordedFile, RecordedFiles } from '../../../load/model/record.ts';
import { bounded } from '../../foreign-text.ts';
import { countList, section } from '../../html/document.ts';
import type { Fact } from '../../html/facts.ts';
import { ADDRESS_LIMIT, FACT_LIMIT, factList, productFacts, timeFacts } from '../../html/facts.ts';
import { allLines, printedLines } from '../../html/printed-lines.ts';
import { badge, prose } from '../../html/prose.ts';
import { provenanceSection } from '../../html/provenance.ts';
import { VERDICT_SIGNS } from '../../outcome.ts';
import { table } from '../../tables.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import {
  byVerdict,
  EXPECTED_LIMIT,
  keyNamesText,
  loadSentence,
  loadVerdictCounts,
  nextStep,
  sentText,
} from '../texts.ts';
import { unjudgedSection } from './unjudged.ts';

/** What one page of A4 has space for: of expectations, at most and at least, fewer where remarks and facts are long. */
const MOST = { rows: 10, remarks: 2 } as const;
const LEAST_ROWS = 2;

const REMARK_LIMIT = 160;
const PRODUCT_LIMIT = 60;
const PLAN_LIMIT = 30;
const NAME_LIMIT = 30;

/** Characters of a printed line: of the whole width, and of one of the four columns of facts. */
const PRINTED = { page: 90, column: 20 } as const;

/** The expectations that the page has space for. */
function rowsFor({ remarks = [], product }: LoadRecord): number {
  const ofRemarks = remarks
    .slice(0, MOST.remarks)
    .map((one) => 1 + printedLines(one, PRINTED.page, REMARK_LIMIT));
  const ofProduct = Object.values(product ?? {}).map((one) =>
    printedLines(one, PRINTED.column, PRODUCT_LIMIT),
  );
  const lines = allLines(ofRemarks) + Math.max(0, ...ofProduct);
  return Math.max(LEAST_ROWS, MOST.rows - lines);
}

/** The first page: the verdict, what it is about, what was judged and what was not, and by what it can be checked. It fits one page of A4. */
export function loadCertificate(record: LoadRecord): Markup {
  const next = nextStep(record);
  return markup`<header class="masthead certificate">
<p class="kind">Load report: Pet Store Service, profile ${record.profile}</p>
<h1 class="outcome ${record.verdict}"><span aria-hidden="true">${VERDICT_SIGNS[record.verdict].mark}</span> ${loadSentence(record)}</h1>
${next === undefined ? markup`` : markup`<p class="next">${next}</p>\n`}${remarksNote(record)}${factList([...productFacts(record.product, PRODUCT_LIMIT), ...runFacts(record)])}${countList(loadVerdictCounts(record))}${judgedSection(record)}${unjudgedSection(record)}${provenance(record)}</header>
`;
}

function runFacts(record: LoadRecord): readonly Fact[] {
  const { perMinute, perDay, minuteSeconds } = record.limits;
  return [
    ['Target', markup`<code>${bounded(record.target.baseUrl, ADDRESS_LIMIT)}</code>`],
    [
      'Plan',
      markup`${bounded(record.target.plan, PLAN_LIMIT)}: ${groupedNumber(perMinute)} requests in ${minuteSeconds} s, ${groupedNumber(perDay)} a day`,
    ],
    ['Keys, by name', markup`${bounded(keyNamesText(record), FACT_LIMIT)}`],
    ...timeFacts(record),
    ['Sent', markup`${sentText(record)}`],
  ];
}

/** What limits the meaning of the run besides its findings; the rest of the report has it in full. */
function remarksNote({ remarks = [] }: LoadRecord): Markup {
  if (remarks.length === 0) return markup``;
  const more = remarks.length - MOST.remarks;
  return markup`<div class="untested" role="note">${remarks.slice(0, MOST.remarks).map((one) => markup`<p>${prose(bounded(one, REMARK_LIMIT))}</p>`)}${more > 0 ? markup`<p><a href="#remarks">${more} more</a></p>` : markup``}</div>
`;
}

/** Every expectation with its verdict, a failed one first. */
function judgedSection(record: LoadRecord): Markup {
  const { findings } = record;
  if (findings.length === 0) return markup``;
  const rows = byVerdict(findings).slice(0, rowsFor(record)).map(judgedRow);
  const more = findings.length - rows.length;
  return section(
    'judged',
    'What was judged',
    markup`${table(['Expectation', 'Verdict', 'What was expected'], rows, 'glanced')}${more > 0 ? markup`<p class="quiet">${more} more are in <a href="#expectations">the rest of the report</a>.</p>\n` : markup``}`,
  );
}

const judgedRow = ({ id, verdict, expected }: LoadFinding): Markup =>
  markup`<tr><th scope="row"><a href="#finding-${id}">${id}</a></th><td>${badge(verdict)}</td><td>${prose(bounded(expected, EXPECTED_LIMIT))}</td></tr>
`;

/** By what the verdicts can be reached again, and what sent the requests. */
function provenance({ environment, recorded, ...record }: LoadRecord): Markup {
  const { k6, http, node, platform, cpus } = environment;
  return provenanceSection({
    ...record,
    recorded: [
      ...(recorded === undefined ? [] : [runFact(recorded), samplesFact(recorded)]),
      [
        'Sent by',
        markup`k6 ${bounded(k6, FACT_LIMIT)}${http === undefined ? '' : ` over ${http}`}, Node ${node}, ${platform}, ${cpus} CPUs`,
      ],
    ],
    again: markup`The verdicts rest on the recorded samples alone: <code>petstore-conformance load judge FOLDER</code> of this version reaches them again, offline.`,
  });
}

const runFact = ({ run }: RecordedFiles): Fact => ['Run', fileText(run)];

/** The page has no space for the digests of many runners. */
function samplesFact({ samples }: RecordedFiles): Fact {
  const [only, ...others] = samples;
  if (only === undefined) return ['Samples', markup`none`];
  return others.length === 0
    ? ['Samples', fileText(only)]
    : ['Samples', markup`${samples.length} files; <code>load-report.json</code> has the digest of each`];
}

const fileText = ({ name, digest }: RecordedFile): Markup =>
  markup`${bounded(name, NAME_LIMIT)}, <code>${digest}</code>`;
