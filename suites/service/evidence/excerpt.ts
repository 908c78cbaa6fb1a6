import { bodyTextForPeople, isLeftOut } from '../../../kernel/exchanges/body.ts';
import type { Body, Exchange } from '../../../kernel/exchanges/exchange.ts';
import { MOST_HEADERS } from '../../../kernel/findings/excerpt-bounds.ts';
import type { EvidenceExcerpt } from '../../../kernel/findings/record.ts';

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
    milliseconds: round(received.mono - sent.mono),
    at: round(sent.mono - start),
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

const round = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
