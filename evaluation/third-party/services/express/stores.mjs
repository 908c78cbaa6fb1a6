import { settings } from './settings.mjs';

const { limit, ms } = settings.minute;

/** A store of express-rate-limit whose windows are aligned to the clock. */
export class ClockStore {
  #counts = new Map();
  increment(key) {
    const window = Math.floor(Date.now() / ms);
    const before = this.#counts.get(key);
    const totalHits = before?.window === window ? before.hits + 1 : 1;
    this.#counts.set(key, { window, hits: totalHits });
    return { totalHits, resetTime: new Date((window + 1) * ms) };
  }
  decrement(key) {
    const one = this.#counts.get(key);
    if (one !== undefined) one.hits -= 1;
  }
  resetKey(key) {
    this.#counts.delete(key);
  }
}

/** A sliding log: what was accepted within the last window. */
export class LogStore {
  #times = new Map();
  increment(key) {
    const now = Date.now();
    const times = (this.#times.get(key) ?? []).filter((at) => at > now - ms);
    const accepted = times.length < limit;
    this.#times.set(key, accepted ? [...times, now] : times);
    return { totalHits: times.length + 1, resetTime: new Date((times[0] ?? now) + ms) };
  }
  decrement(key) {
    this.#times.get(key)?.pop();
  }
  resetKey(key) {
    this.#times.delete(key);
  }
}

/** GCRA with a burst of the limit. */
export class GcraStore {
  #arrivals = new Map();
  increment(key) {
    const now = Date.now();
    const interval = ms / limit;
    const next = Math.max(this.#arrivals.get(key) ?? now, now) + interval;
    const used = (next - now) / interval;
    const free = next - ms;
    if (free > now) return { totalHits: limit + 1, resetTime: new Date(free) };
    this.#arrivals.set(key, next);
    return { totalHits: Math.ceil(used), resetTime: new Date(next) };
  }
  decrement(key) {
    const at = this.#arrivals.get(key);
    if (at !== undefined) this.#arrivals.set(key, at - ms / limit);
  }
  resetKey(key) {
    this.#arrivals.delete(key);
  }
}
