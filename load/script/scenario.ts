import type { Operation, Scenario, Scheduled, Step, StepOf } from '../model/profile.ts';
import type { Sample, ScenarioEvent } from '../model/sample.ts';
import { isRateLimited, statusOf } from '../model/sample.ts';
import { dueMsOf, operationAt } from '../profiles/arithmetic.ts';
import type { Pause } from './await-quota.ts';
import { fullQuotaPause, retryAt } from './await-quota.ts';
import { maximumDurationMs } from './options.ts';
import type { Stop } from './stop-conditions.ts';
import { StopConditions } from './stop-conditions.ts';

/** What a scenario states about a request before it sends it; a sample has its response as well. */
export type SampleRequest = Omit<Sample, 'sent' | 'received' | 'opened' | 'outcome'>;

/**
 * Everything a scenario needs from outside. k6 provides it in a run; a service without sockets in
 * simulated time provides it in tests, which count there what a scenario sends.
 */
export interface Port {
  /** Milliseconds since the Unix epoch; never decreases. */
  now(): number;
  /** From 0 up to, but not including, 1. */
  random(): number;
  /** Resolves at this time (milliseconds since the Unix epoch) or just after it. */
  wait(until: number): Promise<void>;
  /**
   * Sends one request, and resolves with its sample. Never rejects because of the target.
   * @param received is called with the sample at once, before any other request is sent.
   */
  send(request: SampleRequest, received: (sample: Sample) => void): Promise<Sample>;
  /** Records a request after its response or timeout. */
  recordSample(sample: Sample): void;
  recordEvent(event: ScenarioEvent): void;
}

/**
 * Runs a scenario: sends exactly the requests that its steps state, in their order, or stops and says why. Requests
 * that are in flight when it stops are awaited, so that every request the target counted is recorded.
 */
export async function runScenario(scenario: Scenario, port: Port): Promise<Stop | undefined> {
  const run = new ScenarioRun(scenario, port);
  for (const [position, step] of scenario.steps.entries()) {
    if (run.stop !== undefined) break;
    await run.runStep(step, position);
  }
  return run.end();
}

class ScenarioRun {
  stop: Stop | undefined;
  readonly #scenario: Scenario;
  readonly #port: Port;
  readonly #stopConditions: StopConditions;
  /** No pause ends later than this, milliseconds since the Unix epoch. */
  readonly #deadline: number;
  readonly #received: (sample: Sample) => void;
  #sent = 0;
  #latest: Sample | undefined;
  /** The end of the longest announced Retry-After, milliseconds since the Unix epoch. */
  #retryAt: number | undefined;
  #rateLimited = 0;
  #inFlight: Promise<Sample>[] = [];
  /** When the paced step before this one ended by its schedule, milliseconds since the Unix epoch; undefined where another kind of step was. */
  #pacedUntil: number | undefined;

  constructor(scenario: Scenario, port: Port) {
    this.#scenario = scenario;
    this.#port = port;
    this.#stopConditions = new StopConditions(scenario);
    this.#deadline = port.now() + maximumDurationMs(scenario);
    // Not where the field is declared: k6 crashes at a private name in a function there.
    this.#received = (sample) => this.#update(sample);
  }

  runStep(step: Step, position: number): Promise<unknown> {
    switch (step.kind) {
      case 'preflight':
        return this.#send(step, position);
      case 'await full quota':
        return this.#awaitFullQuota(step.neededMs, position);
      case 'rest':
        return this.#pause({
          until: this.#port.now() + step.forMs,
          because: step.because,
        });
      case 'paced':
        return this.#paced(step, position);
      case 'scheduled':
      case 'persist':
        return this.#scheduled(step, position);
      case 'burst':
        return this.#burst(step, position);
      case 'await retry-after':
        return this.#awaitRetryAfter(step.marginMs);
      case 'polite':
        return this.#polite(step, position);
    }
  }

  async end(): Promise<Stop | undefined> {
    await this.#responses();
    const { key } = this.#scenario;
    const at = this.#port.now();
    if (this.stop === undefined) this.#port.recordEvent({ key, kind: 'finished', at, requests: this.#sent });
    else this.#port.recordEvent({ key, kind: 'stopped', at, ...this.stop });
    return this.stop;
  }

  #send(
    { kind }: Step,
    step: number,
    planned: number | null = null,
    operation: Operation = 'list',
  ): Promise<Sample> {
    this.#sent += 1;
    const { key } = this.#scenario;
    return this.#port.send({ key, n: this.#sent, step, kind, operation, planned }, this.#received);
  }

  #update(sample: Sample): void {
    this.#port.recordSample(sample);
    this.#latest = sample;
    const status = statusOf(sample);
    if (status === 429) this.#rateLimited += 1;
    // Only a disposable key goes on after it was rejected: that stops every other.
    if (status === 429 || status === 401 || status === 403) {
      const announced = retryAt(sample);
      if (announced !== undefined) this.#retryAt = Math.max(this.#retryAt ?? 0, announced);
    }
    this.stop ??= this.#stopConditions.check(sample);
  }

  async #awaitFullQuota(neededMs: number, position: number): Promise<void> {
    if (this.#latest === undefined) return;
    const next = this.#scenario.steps.slice(position + 1);
    const needed = Math.max(neededMs, burstMs(next, this.#latest));
    const pause = fullQuotaPause(this.#latest, this.#port.now(), needed, this.#scenario.limits);
    if (pause !== undefined) await this.#pause(pause);
  }

  /** A paced step begins where the one before it ended, whatever became of its requests, and ends on schedule. */
  async #paced(step: StepOf<'paced'>, position: number): Promise<void> {
    const start = this.#pacedUntil ?? this.#port.now();
    const end = start + step.overMs;
    await this.#sendScheduled(step, position, start);
    const next = this.#scenario.steps[position + 1];
    if (next !== undefined && this.stop === undefined) await this.#port.wait(end);
    this.#pacedUntil = next?.kind === 'paced' ? end : undefined;
    if (this.#pacedUntil === undefined) await this.#responses();
  }

  async #scheduled(step: Scheduled, position: number): Promise<void> {
    await this.#sendScheduled(step, position, this.#port.now());
    await this.#responses();
  }

  /** Sends every request at its own absolute time, whatever became of those before it. */
  async #sendScheduled(step: Scheduled, position: number, start: number): Promise<void> {
    for (const [index, due] of dueMsOf(step).entries()) {
      const planned = start + due;
      await this.#port.wait(planned);
      if (this.stop !== undefined) break;
      this.#inFlight.push(this.#send(step, position, planned, operationAt(step, index)));
    }
  }

  async #responses(): Promise<void> {
    await Promise.all(this.#inFlight);
    this.#inFlight = [];
  }

  async #burst(step: StepOf<'burst'>, position: number): Promise<void> {
    let unsent = step.requests;
    const sendInTurn = async (): Promise<void> => {
      while (unsent > 0 && this.stop === undefined) {
        unsent -= 1;
        await this.#send(step, position);
      }
    };
    await Promise.all(Array.from({ length: Math.min(step.concurrency, step.requests) }, sendInTurn));
  }

  async #awaitRetryAfter(marginMs: number): Promise<void> {
    if (this.#rateLimited === 0 || this.#latest === undefined) return;
    const windowEnd = this.#latest.received + this.#scenario.limits.minuteSeconds * 1000;
    await this.#pause(
      this.#retryAt === undefined
        ? { until: windowEnd + marginMs, because: 'no 429 had a usable Retry-After: waiting one window' }
        : { until: this.#retryAt + marginMs, because: 'Retry-After' },
    );
  }

  async #polite(step: StepOf<'polite'>, position: number): Promise<void> {
    let inRow = 0;
    for (let i = 0; i < step.requests && this.stop === undefined; i += 1) {
      const sample = await this.#send(step, position);
      inRow = isRateLimited(sample) ? inRow + 1 : 0;
      if (inRow === 0 || i + 1 === step.requests || this.stop !== undefined) continue;
      const backoff = Math.min(step.longestBackoffMs, step.backoffMs * 2 ** (inRow - 1));
      const earliest = Math.max(retryAt(sample) ?? 0, sample.received);
      const because = 'Retry-After plus a random backoff';
      await this.#pause({ until: earliest + this.#port.random() * backoff, because });
    }
  }

  /** Waits and records it, unless the wait is longer than any conforming limiter requires. */
  async #pause({ until, because }: Pause): Promise<void> {
    const at = this.#port.now();
    if (until > this.#deadline) {
      const seconds = Math.ceil((until - at) / 1000);
      this.stop ??= { because: 'wait too long', detail: `${seconds} s more: ${because}` };
      return;
    }
    if (until <= at) return;
    this.#port.recordEvent({ key: this.#scenario.key, kind: 'waiting', at, untilMs: until, because });
    await this.#port.wait(until);
  }
}

/** How long the bursts that come next, and the pauses before them, take with the response time of this sample, in milliseconds. */
function burstMs(steps: readonly Step[], { sent, received }: Sample): number {
  let [sum, pauses] = [0, 0];
  for (const step of steps) {
    if (step.kind === 'rest') pauses += step.forMs;
    else if (step.kind === 'burst') {
      sum += pauses + Math.ceil(step.requests / step.concurrency) * (received - sent);
      pauses = 0;
    } else break;
  }
  return sum;
}
