import type { Attack } from '../attack.ts';
import { connections } from './connections.ts';
import { elsewhere } from './elsewhere.ts';
import { endless } from './endless.ts';
import { json } from './json.ts';
import { openapi } from './openapi.ts';
import { text } from './text.ts';

/** Every attack, by what it attacks with. */
export const attacks: readonly Attack[] = [
  ...endless,
  ...json,
  ...text,
  ...elsewhere,
  ...connections,
  ...openapi,
];
