import { createHash, randomInt } from 'node:crypto';
import type { Challenge } from '../model/journal.ts';

const LENGTH = 8;

/** A random part of the names of a run's categories and folder, so that no two runs collide: eight characters of `[a-z0-9]`. */
export const randomTag = (): string =>
  Array.from({ length: LENGTH }, () => randomInt(36).toString(36)).join('');

/** The tag of a run with a challenge: it follows from the text and the random part, so it cannot be chosen beforehand. */
export function challengeTag({ text, nonce }: Challenge): string {
  const digest = createHash('sha256').update(`${text}\n${nonce}`).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, LENGTH);
}
