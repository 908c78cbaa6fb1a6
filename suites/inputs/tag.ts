import { randomInt } from 'node:crypto';

const LENGTH = 8;

/** Names a run's categories and its folder, so that no two runs meet: eight characters of `[a-z0-9]`. */
export const randomTag = (): string =>
  Array.from({ length: LENGTH }, () => randomInt(36).toString(36)).join('');
