import { exchangeName } from '../../../../kernel/exchanges/exchange-text.ts';
import type { Problem } from '../../../../kernel/findings/judgement.ts';
import { doubt, violation } from '../../../../kernel/findings/judgement.ts';
import type { Creation } from '../../evidence/categories.ts';
import { creationsSeen } from '../../evidence/categories.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { jsonValueText } from '../../evidence/json-value-text.ts';

/**
 * CREATE-3 where no description was sent: "A Category is a NewCategory plus `id`". A service may show a description of
 * its own, such as an empty one. The description of another creation is none of its own: it stayed in a variable or on
 * a connection that requests share. A 201 with an id or to a name that an earlier creation had may show that category,
 * which is left open.
 */
export function descriptionOfAnother(
  evidence: Evidence,
  { exchange, sent, seen }: Creation,
): Problem | undefined {
  const shown = seen?.description;
  if (sent === undefined || sent.description !== undefined) return undefined;
  if (typeof shown !== 'string' || shown.trim() === '') return undefined;
  const fact = {
    expected: 'no description, or one of the service itself, where none was sent',
    received: `${jsonValueText(shown)} in ${exchangeName(exchange)}`,
  };
  // A service may show a description of its own, and this may be one.
  if (MISSING_VALUE.test(shown.trim())) return doubt({ ...fact, reasoning: MISSING_AS_TEXT });
  const others = creationsSeen(evidence).filter(
    (other) => other.exchange !== exchange && other.exchange.sent.mono < exchange.received.mono,
  );
  if (others.some((other) => other.sent?.name === sent.name || other.seen?.id === seen?.id)) return undefined;
  const origin = others.findLast((other) => other.sent?.description === shown)?.exchange;
  if (origin === undefined) return undefined;
  const reasoning = `That is the description that ${exchangeName(origin)} sent for another category.`;
  return violation({ ...fact, reasoning });
}

/** What languages write for a value that is missing, where a program makes a text of it. */
const MISSING_VALUE = /^(?:none|null|nil|<nil>|undefined|nan|\[object \w+\])$/i;

const MISSING_AS_TEXT = 'Programs write this where they make a text of a value that is missing.';
