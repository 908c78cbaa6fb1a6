import type { RunRecord } from '../../kernel/findings/record.ts';
import { baselineSentences } from '../baseline/texts.ts';
import { testedText } from '../subject.ts';
import { untestedGroupsOf, untestedText } from '../untested.ts';
import { FACT_LIMIT } from './facts.ts';
import { allLines, printedLines } from './printed-lines.ts';
import { linesOfViolated } from './violated.ts';

/** Characters of a reason why something was not tested, so that the page has space for everything. */
export const REASON_LIMIT = 240;

/** Characters of a printed line: of the whole width, and of one of the four columns of facts. */
const PRINTED = { page: 100, column: 20 } as const;

/** A printed page has space for so many lines besides those of every first page. */
const MOST_LINES = 19;

/** Whether the certificate has more to say than one printed page holds, so that it goes on to the second one. */
export function isCrowded(record: RunRecord): boolean {
  const { headline, product, requirements } = record;
  const headlineLines =
    headline === undefined
      ? 0
      : 3 + printedLines(headline.text, PRINTED.page) + printedLines(headline.fix, PRINTED.page);
  const untested = untestedGroupsOf(record).map(untestedText);
  const untestedLines = untested.map(({ ids, text }) => printedLines(ids + text, PRINTED.page, REASON_LIMIT));
  const facts = [testedText(record), ...Object.values(product ?? {})];
  const longest = Math.max(...facts.map((fact) => printedLines(fact, PRINTED.column, FACT_LIMIT)));
  const violated = requirements.filter(({ verdict }) => verdict === 'fail').length;
  const lines = [
    headlineLines,
    ...untestedLines,
    untested.length === 0 ? 0 : 2,
    product === undefined ? 0 : 3,
    // The rows of the product and of the target each are as high as their longest fact.
    2 * (longest - 1),
    linesOfViolated(violated),
    ...baselineSentences(record).map((sentence) => printedLines(sentence, PRINTED.page)),
  ];
  return allLines(lines) > MOST_LINES;
}
