import { countOf } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../../kernel/exchanges/exchange-text.ts';
import { isUndated } from '../../../../kernel/exchanges/http-date.ts';
import type { Problem } from '../../../../kernel/findings/judgement.ts';
import { doubt } from '../../../../kernel/findings/judgement.ts';

/** How far the clocks of two machines may differ, in seconds, before one of them is surely wrong: a Reset of another time zone is further away. */
const CLOCKS_DIFFER_SECONDS = 300;

/**
 * A Reset far outside its window by the clock of this machine, in a response without a Date (RATE-9).
 * It is a doubt, because a Unix timestamp is the same everywhere, but this clock may be wrong.
 */
export function undatedProblem(
  exchange: Exchange,
  reset: number,
  longestSeconds: number,
): Problem | undefined {
  const past = exchange.sent.wall / 1000 - reset;
  const ahead = reset - exchange.received.wall / 1000;
  if (past <= CLOCKS_DIFFER_SECONDS && ahead <= longestSeconds + CLOCKS_DIFFER_SECONDS) return undefined;
  const distance =
    past > 0 ? `${secondsOf(past)} before the request` : `${secondsOf(ahead)} after the response`;
  return doubt({
    expected: `a Reset within the window that Limit describes, at most ${secondsOf(longestSeconds)} ahead`,
    received: `a Reset ${distance} in ${exchangeName(exchange)}, by the clock of the machine that ran the test`,
    reasoning:
      'The response has no Date. The two clocks may differ, and 5 minutes are allowed for that. One of them is wrong, or Reset is.',
  });
}

/** A Date that is this far from the clock of this machine, in seconds, may be wrong: of a gateway, or of a local time. */
const LEAST_OFFSET_SECONDS = 10;

/**
 * Whether Reset lies inside its window by the clock of this machine, and Date is
 * far from that clock: two clocks agree then, and the third is that of Date. A
 * Unix timestamp is the same everywhere; a Date in a local time is not.
 */
export function dateIsOff(
  exchange: Exchange,
  { reset, date }: { readonly reset: number; readonly date: number },
  longestSeconds: number,
): boolean {
  const [sent, received] = [exchange.sent.wall / 1000, exchange.received.wall / 1000];
  const isInside = reset >= sent - 1 && reset <= received + longestSeconds;
  return isInside && isFarFromOurs(date, exchange);
}

/** Whether a Date is so far from the clock of this machine that a gateway may have written it, and not the service. */
export const isFarFromOurs = (date: number, { received }: Exchange): boolean =>
  Math.abs(date - received.wall / 1000) >= LEAST_OFFSET_SECONDS;

const secondsOf = (seconds: number): string => countOf(Math.round(seconds), 'second');

/** What a pass says about Reset: how it was compared with the time. */
export const resetsWithin = (exchanges: readonly Exchange[]): string => {
  const sentence = 'Every Reset is a Unix timestamp inside the window that it describes';
  return exchanges.some(isUndated)
    ? `${sentence}; where a response has no Date, by the clock of the machine that ran the test, with 5 minutes allowed for other clocks`
    : sentence;
};
