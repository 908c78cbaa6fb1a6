import fc from 'fast-check';
import { sampleOf } from '../../../tools/sample.ts';

/**
 * Checks what must hold of random examples, of which each day has its share: a week has the number that is given. An
 * error names its example, which is not made smaller: where each takes a tenth of a second, that would take minutes.
 */
export async function holdsOf<T>(
  examples: fc.Arbitrary<T>,
  number: number,
  check: (example: T) => void | Promise<void>,
): Promise<void> {
  for (const example of sampleOf(fc.sample(examples, number))) {
    try {
      await check(example);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${fc.stringify(example)}: ${why}`, { cause });
    }
  }
}
