import { readFileSync, writeFileSync } from 'node:fs';

/** What a study measured of each of its subjects, by their names. */
export type Results<Row> = Readonly<Record<string, Row>>;

/** @param study its folder, from here */
const fileOf = (study: string): URL => new URL(`${study}/results.json`, import.meta.url);

/** The committed results of a study. */
export const readResults = <Row>(study: string): Results<Row> =>
  JSON.parse(readFileSync(fileOf(study), 'utf8'));

/** The text of a file of results: a line for each subject, so that a difference shows what changed. */
export function resultsText(results: Results<unknown>): string {
  const lines = Object.entries(results).map(
    ([name, row]) => `${JSON.stringify(name)}: ${JSON.stringify(row)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Writes the results of a study. */
export const writeResults = (study: string, results: Results<unknown>): void =>
  writeFileSync(fileOf(study), resultsText(results));
