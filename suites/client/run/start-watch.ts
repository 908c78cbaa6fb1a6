import type { ClientExit, StopReason } from '../model/journal.ts';
import type { Scenario } from '../model/scenario.ts';
import { watchedAtMost } from './plan.ts';

type Stopped = Extract<ClientExit, { kind: 'stopped' }>;

/** Decides when a start has to end. */
export class StartWatch {
  /** How the start was stopped, once it was. */
  readonly stopped: Promise<Stopped>;
  readonly #scenario: Scenario;
  readonly #signal: AbortSignal;
  readonly #interrupt = (): void => this.stop('interrupted');
  #resolve: (how: Stopped) => void = () => undefined;
  #timer: NodeJS.Timeout;
  #begun = false;
  #silentSinceLimit = false;

  /** @param firstRequestSeconds how long the client may take until its first request. */
  constructor(scenario: Scenario, firstRequestSeconds: number, signal: AbortSignal) {
    this.#scenario = scenario;
    this.#signal = signal;
    this.stopped = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#timer = setTimeout(() => this.stop('no-request'), 1000 * firstRequestSeconds);
    signal.addEventListener('abort', this.#interrupt, { once: true });
    if (signal.aborted) this.#interrupt();
  }

  /** The client is watched from its first request on: a runtime may take a second to start. */
  requestArrived(): void {
    this.#silentSinceLimit = false;
    if (this.#begun) return;
    this.#begun = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#watched(), 1000 * this.#scenario.watchSeconds);
  }

  /** A 429 is about to be sent. */
  limited(): void {
    this.#silentSinceLimit = true;
  }

  stop(because: StopReason): void {
    this.#resolve({ kind: 'stopped', because });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#interrupt);
  }

  /** Ends the start, or gives a client that may still be waiting the rest of its time. */
  #watched(): void {
    const rest = watchedAtMost(this.#scenario) - this.#scenario.watchSeconds;
    const further = this.#silentSinceLimit ? rest : 0;
    this.#timer = setTimeout(() => this.stop('watched'), 1000 * further);
  }
}
