import type { EvidenceExcerpt, Verdict } from '../../kernel/findings/record.ts';
import { stretchesOf, stretchText, VERDICT_SIGNS } from '../outcome.ts';
import type { Markup } from '../written.ts';
import { bounded, boundedSpans, joined, markup } from '../written.ts';

const TEXT_LIMIT = 4000;

export const prose = (text: string): Markup => withCode(text, (words) => markup`${words}`);

/** Prose in which the number of each exchange that the report shows is a link to it. */
export const linkedProse = (text: string, evidence: Evidence): Markup =>
  withCode(text, (words) => {
    // Every second part is a number: the expression has one group.
    const parts = words.split(/(?<=\b[Ee]xchange )(\d{1,9})\b/);
    return markup`${parts.map((part, at) =>
      at % 2 === 1 && evidence.has(Number(part))
        ? markup`<a href="#exchange-${Number(part)}">${part}</a>`
        : part,
    )}`;
  });

/** An option such as `--other-key-env`, or the id of a requirement: a line never breaks at their hyphens. */
const UNBROKEN = /((?<![\w-])(?:--[a-z][a-z-]*|[A-Z]+-\d+(?![\w-])))/;

/** Code whose hyphens end no line: an option with its value, or one word that fits a narrow screen, such as `Retry-After`. */
const WHOLE = /^(?:--.{0,37}|(?=.*-)\S{1,30})$/;

function withCode(text: string, write: (words: string) => Markup): Markup {
  const unbroken = (words: string): readonly Markup[] =>
    words
      .split(UNBROKEN)
      .map((part, at) => (at % 2 === 1 ? markup`<span class="whole">${part}</span>` : write(part)));
  return markup`${boundedSpans(text, TEXT_LIMIT).map(({ kind, text: part }) =>
    kind === 'code'
      ? markup`<code${WHOLE.test(part) ? markup` class="whole"` : ''}>${part}</code>`
      : unbroken(part),
  )}`;
}

/** A text of a target as code, of so many characters at most; what is missing is noted behind it. */
export function code(text: string, most: number): Markup {
  const [shown, ...note] = boundedSpans(text, most, [{ kind: 'code', text }]);
  return markup`<code>${shown?.text ?? ''}</code>${note.map((one) => one.text)}`;
}

export function badge(verdict: Verdict): Markup {
  const { mark, word } = VERDICT_SIGNS[verdict];
  return markup`<span class="badge ${verdict}"><span class="mark" aria-hidden="true">${mark}</span> ${word}</span>`;
}

/** The exchanges that the report shows, by number. */
export type Evidence = ReadonlyMap<number, EvidenceExcerpt>;

/** The cited exchanges by number, each linked to what the report shows of it; empty where none is cited. */
export function citation(exchanges: readonly number[], evidence: Evidence): Markup {
  const stretches = stretchesOf(exchanges);
  const links = stretches.slice(0, MOST_STRETCHES).map((stretch) => {
    const text = markup`${stretchText(stretch)}`;
    return evidence.has(stretch.first) ? markup`<a href="#exchange-${stretch.first}">${text}</a>` : text;
  });
  const missing = stretches.slice(MOST_STRETCHES).reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return markup`${joined(links, markup`, `)}${missing === 0 ? '' : ` and ${missing} more`}`;
}

/** More stretches of exchanges than this are counted, not linked. */
const MOST_STRETCHES = 12;

const BODY_LIMIT = 4000;
const LINE_LIMIT = 600;
const HEADER_LINES = 60;

export function exchangeTitle(exchange: EvidenceExcerpt): Markup {
  const request = code(exchange.request, LINE_LIMIT);
  const answer = code(exchange.answer, LINE_LIMIT);
  return markup`Exchange ${exchange.n}: ${request} <span aria-hidden="true">→</span><span class="unseen"> gave </span> ${answer}`;
}

/** Request and response of one exchange, shortened, with a line about when and by which probe it was sent. */
export function exchangeBody(exchange: EvidenceExcerpt): Markup {
  const { probe, step, at, milliseconds } = exchange;
  return markup`<p class="quiet">Probe <code>${probe}</code>, step <code>${step}</code>. Sent ${(at / 1000).toFixed(3)} s after the first request; took ${Math.round(milliseconds)} ms.</p>
<div class="messages">
${message('Request', exchange.request, exchange.requestHeaders, exchange.requestBody)}
${message('Response', exchange.answer, exchange.answerHeaders, exchange.answerBody)}
</div>`;
}

function message(title: string, first: string, headers: readonly string[], body: string | null): Markup {
  const missing = headers.length - HEADER_LINES;
  const lines = [
    bounded(first, LINE_LIMIT),
    ...headers.slice(0, HEADER_LINES).map((line) => bounded(line, LINE_LIMIT)),
    ...(missing > 0 ? [`[…${missing} more header lines]`] : []),
  ];
  const text = markup`${lines.join('\n')}${body === null || body === '' ? '' : `\n\n${bounded(body, BODY_LIMIT)}`}`;
  return markup`<figure><figcaption>${title}</figcaption><pre>${text}</pre></figure>`;
}

export const FACT_LIMIT = 100;

export const ADDRESS_LIMIT = 160;
