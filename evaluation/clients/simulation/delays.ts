/** The own delays of one call, in milliseconds: each call of the function gives the next one. */
export type OwnDelays = (random: () => number) => () => number;

/** How a client spreads its delays. Every kind but `none` is in use by a library. */
export type Jitter = 'none' | 'up-to-base' | 'equal' | 'half-either-way' | 'full' | 'decorrelated';

/** Delays that grow exponentially. */
export interface Exponential {
  /** Milliseconds. */
  readonly base: number;
  readonly factor: number;
  readonly jitter: Jitter;
  /** The longest delay as a multiple of the base; Infinity for none. */
  readonly cap: number;
}

/** Delays that grow exponentially up to their cap. */
export const exponential =
  ({ base, factor, jitter, cap }: Exponential): OwnDelays =>
  (random) => {
    let attempt = 0;
    let last = base;
    return () => {
      const planned = base * Math.min(cap, factor ** attempt++);
      switch (jitter) {
        case 'none':
          return planned;
        case 'up-to-base':
          return planned + base * random();
        case 'equal':
          return planned / 2 + (planned / 2) * random();
        case 'half-either-way':
          return planned * (0.5 + random());
        case 'full':
          return planned * random();
        case 'decorrelated':
          last = Math.min(base * cap, base + (3 * last - base) * random());
          return last;
      }
    };
  };

/** The same delay each time, in milliseconds. */
export const constant =
  (delay: number): OwnDelays =>
  () =>
  () =>
    delay;

/** Delays around a mean that does not grow: from `least` to `most` of it. */
export const jitteredConstant =
  (delay: number, least: number, most: number): OwnDelays =>
  (random) =>
  () =>
    delay * (least + (most - least) * random());

/** Delays that grow by one step each time from an offset, in milliseconds. */
export const linearFrom =
  (offset: number, step: number): OwnDelays =>
  () => {
    let attempt = 0;
    return () => offset + step * attempt++;
  };

/** Delays that grow by one step each time, in milliseconds; `spread` is the share of each that is random. */
export const linear =
  (step: number, spread = 0): OwnDelays =>
  (random) => {
    let attempt = 0;
    return () => step * ++attempt * (1 - spread * random());
  };
