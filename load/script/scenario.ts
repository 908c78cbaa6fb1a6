import type { Limits } from '../../spec/plans.ts';
import type { Operation, Scenario, Step } from '../model/profile.ts';
import type { Sample } from '../model/sample.ts';
import type { Pause } from './await-quota.ts';
import { retryAt, room } from './await-quota.ts';
import { maximumDurationMs } from './maximum-duration.ts';
import type { Port } from './port.ts';
import type { Stop } from './watch.ts';
import { Watch } from './watch.ts';

/** How a lane ended: every request that its steps state was sent, or it stopped before that. */
export type ScenarioEnd = { readonly kind: 'finished' } | ({ readonly kind: 'stopped' } & Stop);

/**
 * Runs a lane: sends exactly the requests that its steps state, in their order,
 * or stops and says why. Whatever was under way when it stops is waited for,
 * so that every request that the target counted is told of.
 */
export async function runScenario(scenario: Scenario, limits: Limits, port: Port): Promise<ScenarioEnd> {
  const run = new ScenarioRun(scenario, limits, port);
  for (const [at, step] of scenario.steps.entries()) {
    if (run.stop !== undefined) break;
    await run.do(step, at);
  }
  return run.end();
}

class ScenarioRun {
  stop: Stop | undefined;
  readonly #scenario: Scenario;
  readonly #limits: Limits;
  readonly #port: Port;
  readonly #watch: Watch;
  readonly #patientUntil: number;
  #sent = 0;
  #last: Sample | undefined;
  /** The end of the longest wait that was asked for, milliseconds since the Unix epoch. */
  #askedUntil: number | undefined;
  #limitedExchanges = 0;

  constructor(scenario: Scenario, limits: Limits, port: Port) {
    this.#scenario = scenario;
    this.#limits = limits;
    this.#port = port;
    this.#watch = new Watch(scenario.key, limits);
    this.#patientUntil = port.now() + maximumDurationMs(scenario, limits);
  }

  do(step: Step, at: number): Promise<unknown> {
    switch (step.kind) {
      case 'preflight':
        return this.#send(step, at);
      case 'await full quota':
        return this.#findRoom(step.lastsMs, at);
      case 'paced':
        return this.#paced(step, (planned) => this.#send(step, at, planned, step.operation));
      case 'persist': {
        const overMs = step.requests * step.everyMs;
        return this.#paced({ ...step, overMs }, (planned) => this.#send(step, at, planned));
      }
      case 'burst':
        return this.#burst(step, () => this.#send(step, at));
      case 'await retry-after':
        return this.#waitOut(step.guardMs);
      case 'polite':
        return this.#polite(step, () => this.#send(step, at));
    }
  }

  end(): ScenarioEnd {
    const { key } = this.#scenario;
    const at = this.#port.now();
    if (this.stop === undefined) {
      this.#port.event({ kind: 'finished', key, at, requests: this.#sent });
      return { kind: 'finished' };
    }
    this.#port.event({ kind: 'stopped', key, at, ...this.stop });
    return { kind: 'stopped', ...this.stop };
  }

  async #send(
    step: Step,
    at: number,
    planned: number | null = null,
    operation: Operation = 'list',
  ): Promise<Sample> {
    this.#sent += 1;
    const n = this.#sent;
    const { sent, received, outcome } = await this.#port.send(operation, n);
    const { kind } = step;
    const { key } = this.#scenario;
    const sample: Sample = { key, n, step: at, kind, operation, planned, sent, received, outcome };
    this.#port.sample(sample);
    this.#remember(sample);
    return sample;
  }

  #remember(sample: Sample): void {
    this.#last = sample;
    const isRateLimited = isLimited(sample);
    if (isRateLimited) this.#limitedExchanges += 1;
    const asked = isRateLimited ? retryAt(sample) : undefined;
    if (asked !== undefined) this.#askedUntil = Math.max(this.#askedUntil ?? 0, asked);
    this.stop ??= this.#watch.take(sample);
  }

  async #findRoom(lastsMs: number, at: number): Promise<void> {
    if (this.#last === undefined) return;
    const lasts = Math.max(lastsMs, burstMs(this.#scenario.steps[at + 1], this.#last));
    const pause = room(this.#last, lasts, this.#limits);
    if (pause !== undefined) await this.#pause(pause);
  }

  /** Every request at its own absolute deadline, whatever became of those before it. */
  async #paced({ requests, overMs }: Row, send: (planned: number) => Promise<Sample>): Promise<void> {
    const start = this.#port.now();
    const underWay: Promise<Sample>[] = [];
    for (let i = 1; i <= requests; i += 1) {
      const planned = start + (i * overMs) / requests;
      await this.#port.wait(planned);
      if (this.stop !== undefined) break;
      underWay.push(send(planned));
    }
    await Promise.all(underWay);
  }

  async #burst({ requests, atOnce }: Burst, send: () => Promise<Sample>): Promise<void> {
    let left = requests;
    const sendOn = async (): Promise<void> => {
      while (left > 0 && this.stop === undefined) {
        left -= 1;
        await send();
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, requests) }, sendOn));
  }

  async #waitOut(guard: number): Promise<void> {
    if (this.#limitedExchanges === 0 || this.#last === undefined) return;
    const said = this.#askedUntil;
    const window = this.#last.received + this.#limits.minuteSeconds * 1000;
    await this.#pause(
      said === undefined
        ? { until: window + guard, because: 'a 429 came without a usable Retry-After: a window passes' }
        : { until: said + guard, because: 'Retry-After asks for it' },
    );
  }

  async #polite(step: Step & { readonly kind: 'polite' }, send: () => Promise<Sample>): Promise<void> {
    let inRow = 0;
    for (let i = 0; i < step.requests && this.stop === undefined; i += 1) {
      const sample = await send();
      inRow = isLimited(sample) ? inRow + 1 : 0;
      if (inRow === 0 || i + 1 === step.requests || this.stop !== undefined) continue;
      const backoff = Math.min(step.longestBackoffMs, step.backoffMs * 2 ** (inRow - 1));
      const from = Math.max(retryAt(sample) ?? 0, sample.received);
      const because = 'Retry-After asks for it, and a random backoff comes on top';
      await this.#pause({ until: from + this.#port.random() * backoff, because });
    }
  }

  /** Waits and says so, unless that is longer than any lawful limiter asks for. */
  async #pause({ until, because }: Pause): Promise<void> {
    const at = this.#port.now();
    if (until > this.#patientUntil) {
      const seconds = Math.ceil((until - at) / 1000);
      this.stop ??= { because: 'waits too long', detail: `${seconds} s more: ${because}` };
      return;
    }
    if (until <= at) return;
    this.#port.event({ kind: 'waits', key: this.#scenario.key, at, untilMs: until, because });
    await this.#port.wait(until);
  }
}

/** Requests evenly spaced over a time; the first one interval after its beginning, the last at its end. */
interface Row {
  readonly requests: number;
  readonly overMs: number;
}

type Burst = Step & { readonly kind: 'burst' };

const isLimited = ({ outcome }: Sample): boolean => outcome.kind === 'answer' && outcome.status === 429;

/** How long a burst takes at the pace of the look, in milliseconds. */
function burstMs(step: Step | undefined, { sent, received }: Sample): number {
  return step?.kind === 'burst' ? Math.ceil(step.requests / step.atOnce) * (received - sent) : 0;
}
