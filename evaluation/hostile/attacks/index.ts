import type { Attack } from '../attack.ts';
import { connectionAttacks, originAttacks } from './connections.ts';
import { endlessAttacks } from './endless.ts';
import { openapiAttacks } from './openapi.ts';
import { jsonAttacks, textAttacks } from './text.ts';

/** Every attack, grouped by what it attacks with. */
export const attacks: readonly Attack[] = [
  ...endlessAttacks,
  ...jsonAttacks,
  ...textAttacks,
  ...originAttacks,
  ...connectionAttacks,
  ...openapiAttacks,
];
