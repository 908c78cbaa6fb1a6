import { countOf } from '../../../kernel/basics/text.ts';
import { bodyTextForPeople, isLeftOut } from '../../../kernel/exchanges/body.ts';
import type { Body, Exchange } from '../../../kernel/exchanges/exchange.ts';
import { MOST_HEADERS } from '../../../kernel/findings/finding-text.ts';
import type { EvidenceExcerpt } from '../../../kernel/findings/record.ts';
import type { EndLine } from '../../../kernel/findings/tested.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import type { Specification } from '../../../spec/specification.ts';
import type { RunLine } from '../model/journal.ts';

/** Why a run that did not come to its end says less than it could, as sentences. */
export function endRemarks(end: EndLine | undefined): readonly string[] {
  if (end === undefined)
    return ['The journal has no last line: the run was cut off, and is judged as far as it was recorded.'];
  return end.how === 'finished' ? [] : [`The run did not finish: ${end.because}`];
}

/** What the numbers of exchanges, in the order of their lines, show of lines that were removed, moved or repeated, as sentences. */
export const numberRemarks = (numbers: readonly number[]): readonly string[] => [
  ...gapRemarks(numbers.toSorted((a, b) => a - b)),
  ...orderRemarks(numbers),
];

const MOST_STRETCHES = 5;

/** Exchanges are numbered from 1 without a gap. @param numbers in ascending order; a number may stand there twice. */
function gapRemarks(numbers: readonly number[]): readonly string[] {
  const gaps = numbers.flatMap((n, at) => {
    const first = (numbers[at - 1] ?? 0) + 1;
    return n > first ? [{ first, last: n - 1 }] : [];
  });
  if (gaps.length === 0) return [];
  const missing = gaps.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const named = gaps
    .slice(0, MOST_STRETCHES)
    .map(({ first, last }) => (first === last ? String(first) : `${first} to ${last}`));
  const further = gaps.length > MOST_STRETCHES ? ' and others' : '';
  return [
    `The journal lacks ${countOf(missing, 'exchange')}: ${named.join(', ')}${further}. The missing ones may contradict the others.`,
  ];
}

/** Exchanges are recorded in the order of their numbers, each once. */
function orderRemarks(numbers: readonly number[]): readonly string[] {
  const moved = numbers.find((n, at) => n <= (numbers[at - 1] ?? 0));
  return moved === undefined
    ? []
    : [`Exchange ${moved} stands in the journal after a later one, or twice: lines were moved or repeated.`];
}

/** @param exchanges in the order of their lines. @param written the moment of an exchange at which its line was written. */
export function timeRemarks(
  exchanges: readonly Exchange[],
  written: (exchange: Exchange) => Exchange['sent'],
): readonly string[] {
  const impossible = exchanges.find((exchange, at) => {
    const before = exchanges[at - 1];
    const isEarlier = before !== undefined && written(exchange).mono < written(before).mono;
    return isEarlier || exchange.received.mono < exchange.sent.mono;
  });
  return impossible === undefined
    ? []
    : [
        `The times of exchange ${impossible.n} are those of no run: it ended before it began, or before the one that stands ahead of it in the journal.`,
      ];
}

/** What a reader has to know where a run is judged by another version than it was recorded by, as sentences. */
export function versionRemarks(
  { suite, spec }: Pick<RunLine, 'suite' | 'spec'>,
  { digest }: Specification,
): readonly string[] {
  const found: string[] = [];
  if (suite.version !== SUITE.version)
    found.push(
      `The run was recorded by version ${suite.version} of the suite and judged by version ${SUITE.version}. What only one of the two versions tests or judges shows in this report.`,
    );
  if (spec.digest !== digest)
    found.push(
      `The journal was recorded with another version of the specification (${spec.digest}) than the one it is judged by (${digest}).`,
    );
  return found;
}

/** The most characters of a body or header that a report shows; the journal has the rest. */
const LONGEST_BODY = 2000;
const LONGEST_HEADER = 300;

/** A cited exchange as a report shows it. `start` is the first sending of the run, milliseconds on the monotonic clock. */
export function excerpt(exchange: Exchange, start: number): EvidenceExcerpt {
  const { request, outcome, sent, received } = exchange;
  const answer = outcome.kind === 'answer' ? outcome : undefined;
  return {
    n: exchange.n,
    probe: exchange.probe,
    step: exchange.step,
    request: `${request.method} ${cut(request.target, LONGEST_HEADER)}`,
    requestHeaders: lines(request.headers),
    requestBody: request.body === null ? null : bodyText(request.body),
    answer:
      outcome.kind === 'answer'
        ? String(outcome.status)
        : `no answer: ${cut(outcome.detail, LONGEST_HEADER)}`,
    answerHeaders: lines(answer?.headers ?? []),
    answerBody: answer === undefined ? null : bodyText(answer.body),
    milliseconds: rounded(received.mono - sent.mono),
    at: rounded(sent.mono - start),
  };
}

const lines = (headers: Exchange['request']['headers']): readonly string[] =>
  headers.slice(0, MOST_HEADERS).map(([name, value]) => cut(`${name}: ${value}`, LONGEST_HEADER));

function bodyText(body: Body): string {
  const { encoding, bytes } = body;
  if (isLeftOut(body)) return `(${bytes} bytes that are not UTF-8, such as a compressed body; not recorded)`;
  const kind = encoding === 'base64' ? `(${bytes} bytes, not UTF-8, in base64) ` : '';
  const text = bodyTextForPeople(body);
  return body.cut
    ? `${kind}${text.slice(0, LONGEST_BODY)} … (${bytes} bytes arrived)`
    : `${kind}${cut(text, LONGEST_BODY, ` … (${bytes} bytes in all)`)}`;
}

const cut = (text: string, longest: number, more = '…'): string =>
  text.length > longest ? `${text.slice(0, longest)}${more}` : text;

export const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
