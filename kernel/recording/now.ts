import { performance } from 'node:perf_hooks';

/** The current moment on both clocks of this machine, in milliseconds: since the Unix epoch, and on the monotonic clock. */
export const now = () => ({ wall: Date.now(), mono: performance.now() });
