/** A linear congruential generator of numbers from 0 to below 1: the same on every machine, from one seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The same, seeded by a text. */
export const seededBy = (text: string): (() => number) => seeded(hashOf(text));

/** FNV-1a with a final mixing step, so that texts which differ in one digit have very different seeds. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const unit of Buffer.from(text)) hash = Math.imul(hash ^ unit, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
