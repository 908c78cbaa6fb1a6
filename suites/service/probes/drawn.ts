/** A whole number from 0 to `below` - 1 that depends on the run's tag: what it decides follows no other user of a key by chance. */
export function drawn(tag: string, salt: number, below: number): number {
  let sum = salt;
  for (const character of tag) sum = (31 * sum + character.charCodeAt(0)) % 65_521;
  return sum % below;
}
