import { randomInt } from 'node:crypto';

const LENGTH = 8;

/** A random part of the names of a run's categories and folder, so that no two runs collide: eight characters of `[a-z0-9]`. */
export const randomTag = (): string =>
  Array.from({ length: LENGTH }, () => randomInt(36).toString(36)).join('');
