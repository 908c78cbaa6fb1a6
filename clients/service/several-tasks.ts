import { performance } from 'node:perf_hooks';
import type { Reply, Script } from '../model/scenario.ts';
import type { ScriptPlayer } from './script-player.ts';

type SeveralTasksScript = Extract<Script, { kind: 'one-of-several' }>;

/** A request that is held. */
interface Held {
  readonly isOpen: () => boolean;
  readonly give: (reply: Reply) => void;
}

const served: Reply = { kind: 'served' };
const limited = (seconds: number): Reply => ({
  kind: 'rate-limited',
  retryAfter: { form: 'seconds', seconds },
});

/**
 * Plays `one-of-several`: holds the first requests until enough are in flight, rate-limits one of them, and answers the
 * others a while later. Whoever sends in between has learnt of the 429, or belongs to the task that got it.
 */
export class SeveralTasks implements ScriptPlayer {
  readonly #script: SeveralTasksScript;
  #held: Held[] = [];
  /** When the limit ends, in milliseconds of the monotonic clock; undefined while requests are gathered. */
  #limitedUntil: number | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(script: SeveralTasksScript) {
    this.#script = script;
  }

  reply(isOpen: () => boolean): Promise<Reply> {
    if (this.#limitedUntil !== undefined) return Promise.resolve(this.#afterwards(this.#limitedUntil));
    return new Promise((give) => {
      if (this.#held.length === 0) this.#after(this.#script.gatherSeconds, () => this.#limitOne());
      this.#held.push({ isOpen, give });
      if (this.#held.length >= this.#script.tasks) this.#limitOne();
    });
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#held = [];
  }

  /** Rate-limits the first of the held requests whose client still waits, and serves the others later. */
  #limitOne(): void {
    const open = this.#held.filter(({ isOpen }) => isOpen());
    this.#held = [];
    const [first, ...others] = open;
    if (first === undefined || this.#limitedUntil !== undefined) return;
    const { retryAfterSeconds, holdSeconds } = this.#script;
    this.#limitedUntil = performance.now() + 1000 * retryAfterSeconds;
    first.give(limited(retryAfterSeconds));
    this.#after(holdSeconds, () => {
      for (const { give } of others) give(served);
    });
  }

  #afterwards(limitedUntil: number): Reply {
    const left = limitedUntil - performance.now();
    return left > 0 ? limited(Math.ceil(left / 1000)) : served;
  }

  #after(seconds: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, 1000 * seconds);
    this.#timers.add(timer);
  }
}
