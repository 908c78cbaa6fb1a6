/**
 * The candidate that was probably meant, ignoring case: one that differs in at most a third of its letters (at least
 * one). Undefined when none is that close. The distance is computed here because k6 runs this file, too, and k6 cannot
 * load packages.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [closest] = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, candidate.length / 3))
    .sort((one, two) => one.edits - two.edits);
  return closest?.candidate;
}

/** The question whether that candidate was meant, to be added to a sentence; empty when none is that close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const likely = nearest(word, candidates);
  return likely === undefined ? '' : ` Did you mean "${likely}"?`;
}

/** Levenshtein distance: how many letters must be added, removed or replaced to turn one word into the other. */
function editsBetween(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (above[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return above.at(-1) ?? 0;
}
