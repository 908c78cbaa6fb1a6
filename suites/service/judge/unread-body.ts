import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../kernel/exchanges/exchange-text.ts';
import { answerOf, headerValue, isJsonMediaType, statusOf } from '../../../kernel/exchanges/headers.ts';

/** The statuses with which a server answers a request line that it cannot read: RFC 9110 §15.5.1, §15.6.2 and §15.6.6, RFC 6585 §5. */
const UNREADABLE: ReadonlySet<number | undefined> = new Set([400, 405, 414, 431, 501, 505]);

/**
 * A possible cause of an unexpected response, where the connection had just
 * carried a body that was rejected: bytes of it that the server did not read
 * precede the next request (RFC 9112 §9.3). Undefined where nothing suggests it.
 */
export function unreadBody(exchange: Exchange, all: readonly Exchange[]): string | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined || exchange.connection.fresh || !UNREADABLE.has(answer.status)) return undefined;
  if (isJsonMediaType(headerValue(answer.headers, 'Content-Type') ?? '')) return undefined;
  const before = all.findLast(
    ({ n, connection }) => n < exchange.n && connection.id === exchange.connection.id,
  );
  const wasRejected = (statusOf(before ?? exchange) ?? 0) >= 400;
  if (before === undefined || !wasRejected || (before.request.body?.bytes ?? 0) === 0) return undefined;
  return `Another possible cause: the same connection had just carried the body of ${exchangeName(before)}, which was rejected. If the server did not read that body to its end, it read the rest as the beginning of this request.`;
}
