import { MOST_HEADERS } from '../../kernel/findings/finding-text.ts';
import type { EvidenceExcerpt, Finding } from '../../kernel/findings/record.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import type { Evidence } from './prose.ts';
import { code, prose } from './prose.ts';

const VALUE_LIMIT = 300;

interface KnownHeader {
  readonly name: string;
  /** What texts of this project call it, besides its name. */
  readonly short?: string;
  /** What the specification, or the standard where it is named, says of it. */
  readonly specified: string;
  /** Whether that holds for a response with this status. */
  readonly on: (status: string) => boolean;
}

const every = (): boolean => true;

/** In the order of the rows. */
const HEADERS: readonly KnownHeader[] = [
  { name: 'X-RateLimit-Limit', specified: 'the limit in force for the caller', on: every },
  {
    name: 'X-RateLimit-Remaining',
    short: 'Remaining',
    specified: 'requests left in the current window',
    on: every,
  },
  {
    name: 'X-RateLimit-Reset',
    short: 'Reset',
    specified: 'Unix timestamp at which the limit resets',
    on: every,
  },
  { name: 'Retry-After', specified: 'when to retry', on: (status) => status === '429' },
  { name: 'WWW-Authenticate', specified: 'a challenge (RFC 9110)', on: (status) => status === '401' },
  { name: 'Content-Type', specified: 'application/json where there is a body', on: every },
  { name: 'Date', specified: 'when the response was made (RFC 9110)', on: every },
];

/**
 * The headers of the response that a finding is about: expected and received side by side, with the decisive ones
 * marked. Empty where the finding is about no header, or its exchange is not among the evidence.
 */
export function headerComparison(finding: Finding, evidence: Evidence): Markup {
  if (finding.verdict !== 'fail' && finding.verdict !== 'warn') return markup``;
  const exchange = evidence.get(shownExchange(finding));
  if (exchange === undefined || !/^\d{3}$/.test(exchange.answer)) return markup``;
  const named = decisiveHeaders(finding.expected, finding.sentence);
  const decisive = named.filter((one) => belongsTo(one, exchange));
  if (decisive.length === 0) return markup``;
  // Date has a row only where a finding names it.
  const rows = HEADERS.filter(
    (one) => decisive.includes(one) || (one.on(exchange.answer) && one.name !== 'Date'),
  );
  return markup`<table class="headers">
<caption>Headers of the response in exchange <a href="#exchange-${exchange.n}">${exchange.n}</a>, status ${exchange.answer}; <span aria-hidden="true">▸</span> marks the decisive ${decisive.length === 1 ? 'one' : 'ones'}</caption>
<thead><tr><th scope="col">Header</th><th scope="col">Expected</th><th scope="col">Received</th></tr></thead>
<tbody>
${rows.map((one) => row(one, decisive.includes(one) ? finding.expected : undefined, exchange))}</tbody>
</table>
`;
}

/** The headers that the expectation names; where it names none, those of the requirement. */
function decisiveHeaders(expected: string, sentence: string): readonly KnownHeader[] {
  const inExpected = HEADERS.filter(
    ({ name, short }) => mentions(expected, name) || mentions(expected, short),
  );
  return inExpected.length > 0 ? inExpected : HEADERS.filter(({ name }) => mentions(sentence, name));
}

const mentions = (text: string, word: string | undefined): boolean =>
  word !== undefined && new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text);

/** Whether a header is there or has to be: an expectation may name the Retry-After of an earlier response. */
const belongsTo = ({ name, on }: KnownHeader, { answer, answerHeaders }: EvidenceExcerpt): boolean =>
  on(answer) || valuesOf(name, answerHeaders).length > 0;

/** The exchange that a finding names in what was received; otherwise the first that it cites. */
function shownExchange(finding: Finding): number {
  const named = 'received' in finding ? /\bexchange (\d{1,9})\b/.exec(finding.received)?.[1] : undefined;
  const number = Number(named ?? Number.NaN);
  return finding.exchanges.includes(number) ? number : (finding.exchanges[0] ?? Number.NaN);
}

function row(header: KnownHeader, expected: string | undefined, exchange: EvidenceExcerpt): Markup {
  const mark =
    expected === undefined
      ? markup``
      : markup`<span aria-hidden="true">▸ </span><span class="unseen">decisive: </span>`;
  return markup`<tr${expected === undefined ? markup`` : markup` class="decisive"`}><th scope="row">${mark}<code>${header.name}</code></th><td>${prose(expected ?? header.specified)}</td><td>${received(header.name, exchange)}</td></tr>
`;
}

function received(name: string, { answerHeaders }: EvidenceExcerpt): Markup {
  const values = valuesOf(name, answerHeaders);
  if (values.length > 0) return code(values.join(', '), VALUE_LIMIT);
  return answerHeaders.length < MOST_HEADERS
    ? markup`<em>absent</em>`
    : markup`<em>not among the first ${MOST_HEADERS} header lines</em>`;
}

function valuesOf(name: string, lines: readonly string[]): readonly string[] {
  const prefix = `${name.toLowerCase()}:`;
  return lines
    .filter((line) => line.toLowerCase().startsWith(prefix))
    .map((line) => line.slice(prefix.length).trim());
}
