import type { EvidenceExcerpt } from '../../kernel/findings/record.ts';

/** A cited exchange as the text of an attachment: the request after `>`, the response after `<`. */
export function exchangeText(exchange: EvidenceExcerpt): string {
  const request = [exchange.request, ...exchange.requestHeaders, ...bodyLines(exchange.requestBody)];
  const response = [exchange.answer, ...exchange.answerHeaders, ...bodyLines(exchange.answerBody)];
  const lines = [
    `Exchange ${exchange.n}: ${exchange.request} → ${exchange.answer} after ${exchange.milliseconds} ms (${exchange.probe}: ${exchange.step}; ${exchange.at} ms into the run)`,
    ...request.map((line) => `> ${line}`),
    ...response.map((line) => `< ${line}`),
  ];
  return lines.map(escaped).join('\n');
}

const bodyLines = (body: string | null): readonly string[] =>
  body === null || body === '' ? [] : ['', ...body.split('\n')];

/** Text of a target must not control the terminal that shows it, or change the direction of the text. */
const escaped = (line: string): string =>
  line.replace(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
