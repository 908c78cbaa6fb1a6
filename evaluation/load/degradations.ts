import type { Outcome, RequestHandler } from '../../reference-server/service/message.ts';
import { loopback } from '../simulation/service-wire.ts';
import type { LoadConditions } from './virtual-load.ts';

/** What a service does to a response. @param elapsedMs since the first request. @param perSecond requests that arrived in the last two seconds, per second. */
type Effect = (outcome: Outcome, elapsedMs: number, perSecond: number) => Outcome;

/** The time over which a service counts its rate, in milliseconds. */
const RATE_MS = 2000;

/** A service that treats its responses so. */
export const serviceThat = (effect: Effect): Pick<LoadConditions, 'wrap'> => ({
  wrap: (answer: RequestHandler, now) => {
    const arrivals: number[] = [];
    let start: number | undefined;
    return (request) => {
      const at = now();
      start ??= at;
      arrivals.push(at);
      while ((arrivals[0] ?? at) < at - RATE_MS) arrivals.shift();
      return effect(answer(request), at - start, (1000 * arrivals.length) / RATE_MS);
    };
  },
});

/** The response, so many milliseconds later. */
export const delayed = (outcome: Outcome, delayMs: number): Outcome =>
  outcome.kind === 'response' ? { ...outcome, delayMs: (outcome.delayMs ?? 0) + delayMs } : outcome;

/** A 503 in its place. */
export const unavailable = (outcome: Outcome): Outcome =>
  outcome.kind === 'response' ? { ...outcome, status: 503 } : outcome;

/** Latency grows by so much in a minute: a leak. */
export const growing = (msPerMinute: number) =>
  serviceThat((outcome, elapsed) => delayed(outcome, (elapsed * msPerMinute) / 60_000));

/** A burst leaves a queue, so that every response takes longer until it is worked off. */
export const slowAfterBurst = (delayMs: number, seconds: number) => {
  let until = 0;
  return serviceThat((outcome, elapsed, perSecond) => {
    if (perSecond > BURST_RATE) until = elapsed + seconds * 1000;
    return elapsed < until ? delayed(outcome, delayMs) : outcome;
  });
};

/** More requests in a second than any low rate of the smallest plan sends. */
const BURST_RATE = 10;

/** Above this rate, it does so. */
export const above = (perSecond: number, effect: (outcome: Outcome) => Outcome) =>
  serviceThat((outcome, _, rate) => (rate > perSecond ? effect(outcome) : outcome));

/** Above this rate it responds no more, to anybody. */
export function hangsAbove(perSecond: number): Pick<LoadConditions, 'wrap' | 'network'> {
  let hangs = false;
  return {
    ...serviceThat((outcome, _, rate) => {
      hangs ||= rate > perSecond;
      return outcome;
    }),
    network: { ...loopback, loss: () => (hangs ? { lost: 'request', seenAs: 'timeout' } : undefined) },
  };
}

/** Latencies of a healthy service on a busy machine: heavy tails, pauses, a slow but constant base, and noise that begins in the middle. */
export function healthy(random: () => number): Pick<LoadConditions, 'wrap'> {
  const base = [0, 1, 20, 150, 900][Math.floor(random() * 5)] ?? 0;
  const tail = [0.2, 1, 3][Math.floor(random() * 3)] ?? 1;
  const everyMs = 2000 + 20_000 * random();
  const pauseMs = 800 * random();
  const noise = { fromMs: 150_000 * random(), ms: 120 * random() };
  return serviceThat((outcome, elapsed, perSecond) => {
    const sincePause = elapsed % everyMs;
    const paused = sincePause < pauseMs ? pauseMs - sincePause : 0;
    const spread = (1 + base / 4) * (1 / Math.sqrt(1 - random()) - 1) * tail;
    const disturbed = elapsed > noise.fromMs ? noise.ms * random() : 0;
    return delayed(outcome, base + spread + paused + disturbed + Math.min(perSecond, 200) * 0.2);
  });
}
