import { countOf } from '../../kernel/basics/text.ts';
import { table } from '../../tools/docs/blocks.ts';
import { conditions } from './conditions.ts';
import type { Deserved, LoadFault } from './faults.ts';
import { healthyVariants, loadFaults } from './faults.ts';
import type { LoadRun, MatrixRow } from './results.ts';
import { deservedOf, falseLoadFails, missedFaults, resultOf, rowKey } from './results.ts';
import { loadOutsiders } from './services.ts';

/** The page with the kill matrix for load. */
export const LOAD_MATRIX_PAGE = new URL('../LOAD-MATRIX.md', import.meta.url);

const services = loadOutsiders.map(({ name }) => name);

/** The page, as Markdown. */
export function renderLoadMatrix(rows: readonly MatrixRow[]): string {
  const known = new Map(rows.map((row) => [rowKey(row), row]));
  const runs = rows.reduce((sum, row) => sum + row.runs.length, 0);
  return `${[...head(rows, runs), ...faultsPart(known), ...healthyPart(known), ...doubtsPart(rows)].join('\n')}\n`;
}

function head(rows: readonly MatrixRow[], runs: number): readonly string[] {
  const counts = rows.map((row) => row.runs.length);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const each = fewest === most ? `${most} of each row` : `between ${fewest} and ${most} of each row`;
  return [
    '# Kill matrix for load',
    '',
    'Written by `npm run evaluate -- load-outsiders --write`; do not edit.',
    '',
    'Two services in other languages, written from the specification alone, have a switch for each fault that shows only under load. The real command ran every profile against each of them with k6, on a machine with a busy core and other runs at the same time.',
    '',
    table(
      ['Service', 'Language', 'How it serves and limits'],
      loadOutsiders.map(({ name, language, limiter }) => [
        `[\`${name}\`](load-outsiders/services/${name}/)`,
        language,
        limiter,
      ]),
    ),
    '',
    `The table states ${runs} runs in all, ${each}. In them, ${countOf(falseLoadFails(rows).length, 'run')} against a conforming service failed, and ${countOf(missedFaults(rows).length, 'run')} missed a fault that the profile should find; ${openRuns(rows)} others gave no verdict, because this machine sent late. The limit is 60 in windows of ${windowsText()}; the [profiles](../load/PROFILES.md) say what they send. A few runs of a fault do not prove that the next one finds it.`,
    '',
  ];
}

/** Runs that should have passed or found something, and were inconclusive. */
const openRuns = (rows: readonly MatrixRow[]): number =>
  rows.reduce((sum, row) => {
    const deserved = deservedOf(row);
    if (deserved?.kind === 'not judged') return sum;
    const isOpen = (run: LoadRun): boolean =>
      deserved === undefined ? run.outcome === 'incomplete' : resultOf(deserved, run) === 'sent late';
    return sum + row.runs.filter(isOpen).length;
  }, 0);

/** The lengths of the windows, each with its profiles. */
function windowsText(): string {
  const all = Object.entries(conditions).map(([id, { limits }]) => [limits.minuteSeconds, id] as const);
  const lengths = [...new Set(all.map(([seconds]) => seconds))].sort((a, b) => a - b);
  return lengths
    .map((length) => {
      const ids = all.filter(([seconds]) => seconds === length).map(([, id]) => `\`${id}\``);
      return `${length} s (${ids.join(', ')})`;
    })
    .join(', ');
}

type Known = ReadonlyMap<string, MatrixRow>;

function faultsPart(known: Known): readonly string[] {
  return [
    '## Faults',
    '',
    'How many runs found the fault. A profile finds it where one of these expectations fails. Where it says *inconclusive*, a conforming service or another client of the key may look the same, so the expectation states its doubt. A run *sent late* where the machine was too busy to keep the schedule: the tool then gives no verdict.',
    '',
    table(
      ['Fault', 'What the service does', 'Profile', 'Found by', ...services],
      loadFaults.map((fault) => [
        `\`${fault.id}\``,
        fault.description,
        `\`${fault.profile}\``,
        foundBy(fault.deserved),
        ...services.map((service) => foundCell(known, service, fault)),
      ]),
    ),
    '',
  ];
}

function foundBy(deserved: Deserved): string {
  if (deserved.kind === 'not judged') return `no profile judges it: ${deserved.because}`;
  const ids = deserved.by.map((id) => `\`${id}\``).join(' or ');
  return deserved.kind === 'fails' ? ids : `${ids}, inconclusive`;
}

function foundCell(known: Known, service: string, { id, profile, deserved }: LoadFault): string {
  const runs = known.get(rowKey({ service, fault: id, profile }))?.runs ?? [];
  if (runs.length === 0) return 'not run';
  const results = runs.map((run) => resultOf(deserved, run));
  const late = results.filter((one) => one === 'sent late').length;
  const found = results.filter((one) => one === 'found').length;
  return `${found} of ${runs.length}${late === 0 ? '' : `, ${late} sent late`}`;
}

function healthyPart(known: Known): readonly string[] {
  const all = [...known.values()];
  const rows = healthyVariants.flatMap(({ id, description }) =>
    Object.keys(conditions)
      .filter((profile) => all.some((row) => row.fault === id && row.profile === profile))
      .map((profile) => [
        description,
        `\`${profile}\``,
        ...services.map((service) => healthyCell(all, service, id, profile)),
      ]),
  );
  return [
    '## Conforming services',
    '',
    'How many runs failed, which is a false fail, and how many were inconclusive.',
    '',
    table(['Service', 'Profile', ...services], rows),
    '',
    '## What the table does not show',
    '',
    'Single runs while the services were written gave other results in other conditions:',
    '',
    '- Without a `Date` header in its responses, `doubled-limit`, `one-too-many` and `lost-updates` are inconclusive in `over-limit`: the bound on what is accepted under one Reset needs the clock of the target.',
    '- With a window of 6 s, `at-limit` passes `tenth-not-counted`: in that time a bucket gives back as many requests as were not counted. With a minute it does not.',
    '- Where a single request was sent more than 250 ms late, `no-recovery-after-spike` was inconclusive, although responses took 900 ms from their actual send time.',
    '- A sliding log whose limit falls and whose `Retry-After` states when the oldest request leaves it is inconclusive in `under`: a 429 with so short a wait may come from a limit that is enforced in smaller portions.',
  ];
}

function healthyCell(all: readonly MatrixRow[], service: string, fault: string, profile: string): string {
  const runs = all.find(
    (row) => row.service === service && row.fault === fault && row.profile === profile,
  )?.runs;
  if (runs === undefined) return 'not run';
  const open = runs.filter(({ outcome }) => outcome === 'incomplete').length;
  const failed = runs.filter(({ fails }) => fails.length > 0).length;
  return `${failed} of ${runs.length} failed${open === 0 ? '' : `, ${open} inconclusive`}`;
}

function doubtsPart(rows: readonly MatrixRow[]): readonly string[] {
  const wrong = [
    ...falseLoadFails(rows).map((one) => `- False fail: ${one}`),
    ...missedFaults(rows).map(
      ({ text, because }) => `- Missed: ${text}${because === undefined ? '' : ` The reason: ${because}.`}`,
    ),
  ];
  return wrong.length === 0 ? [] : ['', '## What went wrong', '', ...wrong];
}
