import type { Certificate } from './certify-service.ts';
import type { Break } from './outsider.ts';

/** What became of a break: `false fail` where something fails that the specification leaves open. */
export type Found = 'caught' | 'missed' | 'left open' | 'false fail';

/** Compares the certificate of a break with what it deserves. */
export function foundIn({ deserved }: Break, { fails, warns }: Certificate): Found {
  if (deserved.verdict === 'no fail') return fails.length === 0 ? 'left open' : 'false fail';
  const counted = deserved.verdict === 'fail' ? fails : [...fails, ...warns];
  return deserved.ids.some((id) => counted.includes(id)) ? 'caught' : 'missed';
}
