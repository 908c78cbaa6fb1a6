import type { EvidenceExcerpt } from '../model/record.ts';

/** A cited exchange for a person who reads an attachment: what was asked after `>`, what came after `<`. */
export function exchangeText(one: EvidenceExcerpt): string {
  const asked = [one.request, ...one.requestHeaders, ...bodyLines(one.requestBody)];
  const came = [one.answer, ...one.answerHeaders, ...bodyLines(one.answerBody)];
  const lines = [
    `Exchange ${one.n}: ${one.request} → ${one.answer} after ${one.milliseconds} ms (${one.probe}: ${one.step}; ${one.at} ms into the run)`,
    ...asked.map((line) => `> ${line}`),
    ...came.map((line) => `< ${line}`),
  ];
  return lines.map(visible).join('\n');
}

const bodyLines = (body: string | null): readonly string[] =>
  body === null || body === '' ? [] : ['', ...body.split('\n')];

/** A target's words must not steer the terminal that shows them, nor turn the direction of the text. */
const visible = (line: string): string =>
  line.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
