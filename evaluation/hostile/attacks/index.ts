import type { Attack } from '../attack.ts';
import { connectionAttacks } from './connections.ts';
import { endlessAttacks } from './endless.ts';
import { jsonAttacks } from './json.ts';
import { openapiAttacks } from './openapi.ts';
import { originAttacks } from './other-origins.ts';
import { textAttacks } from './text.ts';

/** Every attack, grouped by what it attacks with. */
export const attacks: readonly Attack[] = [
  ...endlessAttacks,
  ...jsonAttacks,
  ...textAttacks,
  ...originAttacks,
  ...connectionAttacks,
  ...openapiAttacks,
];
