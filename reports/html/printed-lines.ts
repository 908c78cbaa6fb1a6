/** The length of the note behind a text that was cut. */
export const NOTE = 24;

/** About how many lines a text takes when it is printed. @param width characters of a line. @param most characters that are shown. */
export const printedLines = (text: string, width: number, most = Number.POSITIVE_INFINITY): number =>
  Math.ceil(Math.min(text.length, most) / width);

/** The sum of these lines. */
export const allLines = (lines: readonly number[]): number => lines.reduce((sum, count) => sum + count, 0);
