import { breakRows, missedRows, serviceRows } from '../../evaluation/outsiders/tables.ts';
import { table } from './blocks.ts';

/** The services of outsiders, with the numbers of their runs and breaks. */
export const outsiderTable = (): string =>
  table(
    [
      'Service',
      'Language',
      'Framework',
      'Libraries',
      'Limiter',
      'Runs as it conforms',
      'of these: conforms',
      'False fails',
      'Violations',
      'Caught',
      'Missed',
      'Left open, no fail',
    ],
    serviceRows(),
  );

/** The violations that were missed, and why. */
export const missedByOutsiders = (): string =>
  table(['Service', 'Break', 'What the service does', 'Why it is missed'], missedRows());

/** Every break of every service, with its verdicts. */
export const outsiderBreaks = (): string =>
  breakRows()
    .map(
      ({ name, rows }) =>
        `### ${name}\n\n${table(['Break', 'What the service does', 'Sentence', 'Deserves', 'Result', 'Outcome', 'Fail', 'Warn'], rows)}`,
    )
    .join('\n\n');
