import type { Attacks } from '../attack.ts';
import { connectionAttacks, originAttacks } from './connections.ts';
import { endlessAttacks } from './endless.ts';
import { openapiAttacks } from './openapi.ts';
import { jsonAttacks, textAttacks } from './text.ts';

/** Every attack. */
export const attacks: Attacks = {
  ...endlessAttacks,
  ...jsonAttacks,
  ...textAttacks,
  ...originAttacks,
  ...connectionAttacks,
  ...openapiAttacks,
};
