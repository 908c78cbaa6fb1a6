import { glossary as terms } from '../glossary/glossary.ts';
import { table } from './blocks.ts';

/** The vocabulary, and what to avoid: the same data that the glossary's test checks. */
export function glossary(): string {
  return table(
    ['Say', 'Not', 'Meaning'],
    terms.map(({ say, not, meaning }) => [say, not, meaning]),
  );
}
