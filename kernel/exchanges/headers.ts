import type { Answer, Exchange, HeaderLine } from './exchange.ts';
import type { JudgedHeader } from './judged-headers.ts';

/** Names are compared without case (RFC 9110 §5.1). The cheap comparisons come first: judging reads every line of every response a dozen times. */
const sameName = (a: string, b: string): boolean =>
  a === b || (a.length === b.length && a.toLowerCase() === b.toLowerCase());

/** The values of a header, in the order of its lines. */
export function headerValues(headers: readonly HeaderLine[], name: JudgedHeader): readonly string[] {
  const values: string[] = [];
  for (const [key, value] of headers) if (sameName(key, name)) values.push(value.trim());
  return values;
}

/** The one value of a header; undefined where it is absent, or present more than once with different values. */
export function headerValue(headers: readonly HeaderLine[], name: JudgedHeader): string | undefined {
  let only: string | undefined;
  for (const [key, value] of headers) {
    if (!sameName(key, name)) continue;
    const text = value.trim();
    if (only !== undefined && only !== text) return undefined;
    only = text;
  }
  return only;
}

/** The response of an exchange, or undefined where none came. */
export function answerOf({ outcome }: Exchange): Answer | undefined {
  return outcome.kind === 'answer' ? outcome : undefined;
}

/** The status of an exchange, or undefined where no response came. */
export function statusOf(exchange: Exchange): number | undefined {
  return answerOf(exchange)?.status;
}

/** The header lines of the response; none where no response came. */
export const headersOf = (exchange: Exchange): readonly HeaderLine[] => answerOf(exchange)?.headers ?? [];

/** Whether a Content-Type names `application/json`, in any case and with any parameters (RFC 9110 §8.3.1). */
export const isJsonMediaType = (type: string): boolean => /^application\/json[ \t]*(;.*)?$/i.test(type);
