import type { Answer, HeaderLine } from '../../kernel/exchanges/exchange.ts';
import type { SampleOutcome } from './sample.ts';

/**
 * The response of a sample in the form of an exchange, so that the same functions
 * read its headers. Bodies of a load run are not recorded.
 */
export function answerOf(outcome: SampleOutcome & { readonly kind: 'answer' }): Answer {
  const lines: readonly (readonly [name: string, value: string | undefined])[] = [
    ['X-RateLimit-Limit', outcome.limit],
    ['X-RateLimit-Remaining', outcome.remaining],
    ['X-RateLimit-Reset', outcome.reset],
    ['Retry-After', outcome.retryAfter],
    ['Date', outcome.date],
    ['Age', outcome.age],
    ['X-Cache', outcome.xCache],
  ];
  return {
    kind: 'answer',
    status: outcome.status,
    headers: lines.filter((line): line is HeaderLine => line[1] !== undefined),
    body: { excerpt: '', encoding: 'utf8', bytes: 0, cut: true },
  };
}
