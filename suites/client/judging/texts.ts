import { countOf, secondsText } from '../../../kernel/basics/text.ts';
import { exchangeName } from '../../../kernel/exchanges/exchange-text.ts';
import type { ClientRequest } from './client-request.ts';
import { pauseAfter } from './client-request.ts';
import type { AnnouncedWait, EarlyRequest } from './waits.ts';
import { earlyBy } from './waits.ts';

/** Delays in the sentence of a finding: `0.30, 0.60 and 1.21 s`. */
export function delaysText(delays: readonly number[]): string {
  const texts = delays.map((delay) => (Math.max(0, delay) / 1000).toFixed(2));
  const last = texts.pop() ?? '';
  return `${texts.length === 0 ? last : `${texts.join(', ')} and ${last}`} s`;
}

/** A request with the scenario that it belongs to: `exchange 3 (GET /v1/categories) of wait-seconds`. */
export const requestName = ({ exchange }: ClientRequest): string =>
  `${exchangeName(exchange)} of \`${exchange.probe}\``;

/** What a 429 announced: `a wait of 3.00 s (Retry-After: 3) in exchange 1 (…) of …`. */
export const waitText = ({ limited, milliseconds, text }: AnnouncedWait): string =>
  `a wait of ${secondsText(milliseconds)} (\`Retry-After: ${text}\`) in ${requestName(limited)}`;

/** An early request: `exchange 2 (…) 1.01 s after the 429 response, 1.99 s before the end of the wait`. */
export const earlyText = ({ request, wait, early }: EarlyRequest): string =>
  `${exchangeName(request.exchange)} ${secondsText(pauseAfter(wait.limited, request))} after the 429 response, ${secondsText(early)} before the end of the wait`;

/** By how much a request came after the end of a wait, in milliseconds. */
export const lateBy = (request: ClientRequest, wait: AnnouncedWait): number => -earlyBy(request, wait);

/** How often something shows besides the example that a finding gives, as a sentence. */
export const moreText = (count: number, noun: string): string =>
  count === 0 ? '' : ` The same shows in ${countOf(count, `other ${noun}`)}.`;
