import { countOf } from '../../../kernel/basics/text.ts';
import type { Outcome } from '../../../kernel/findings/record.ts';
import type { ProfileId } from '../../../load/profiles/index.ts';
import { PROFILE_IDS } from '../../../load/profiles/index.ts';
import { table } from '../../../tools/docs/blocks.ts';
import { readResults } from '../../study.ts';
import type { Deserved, Found, Verdicts } from '../breaks/break.ts';
import { foundIn } from '../breaks/break.ts';
import { loadedServices } from '../services.ts';
import type { LoadFault } from './faults.ts';
import { conditionsOf, healthyVariants, loadFaults, MISSED_AT_TIMES } from './faults.ts';

/** The verdicts of one load run. */
export interface LoadRun extends Pick<Verdicts, 'fails' | 'inconclusive'> {
  readonly outcome: Outcome;
  /** What each expectation that did not pass says, with its id. */
  readonly because: readonly string[];
}

/** One profile against one service with one fault, or a healthy variant. */
export interface LoadSubject {
  readonly name: string;
  readonly service: string;
  readonly profile: ProfileId;
  readonly fault: LoadFault;
}

/** What to load, with what, and how. */
export const loadSubjects: readonly LoadSubject[] = loadedServices.flatMap(({ name: service }) =>
  [...loadFaults, ...healthyVariants].flatMap((fault) =>
    fault.profiles.map((profile) => ({
      name: `${service} ${fault.id || 'conforming'} ${profile}`,
      ...{ service, profile, fault },
    })),
  ),
);

/** The runs of one subject. */
export interface LoadRuns {
  readonly runs: readonly LoadRun[];
}

/** What became of a fault in one run; `no verdict` where nothing was judged because this machine sent late. */
export function resultOf(deserved: Deserved, run: LoadRun): Found | 'no verdict' {
  const found = foundIn(deserved, run);
  const isOpen =
    found === 'missed'
      ? run.fails.length === 0 && run.inconclusive.includes('SENT')
      : found === 'left open' && run.outcome === 'incomplete';
  return isOpen ? 'no verdict' : found;
}

/** The runs against a conforming service in which something failed, each a defect of this project, and those that judged and missed their fault, with the reason where one is known. */
export const wrongRuns = ({ name, service, fault }: LoadSubject, { runs }: LoadRuns) =>
  runs.flatMap((run) => {
    const result = resultOf(fault.deserved, run);
    if (result !== 'false fail' && (result !== 'missed' || fault.missed !== undefined)) return [];
    const what = result === 'missed' ? 'Missed' : 'False fail';
    const text = `${what}: ${name}: ${run.outcome}; ${run.because.join(' ')}`;
    return [{ result, text, reason: MISSED_AT_TIMES[`${service} ${fault.id}`] }];
  });

/** Every subject with its runs. */
const measured = () => {
  const known = readResults<LoadRuns>('third-party/load');
  return loadSubjects.flatMap((subject) => {
    const row = known[subject.name];
    return row === undefined ? [] : [{ subject, row }];
  });
};

const allWrong = () => measured().flatMap(({ subject, row }) => wrongRuns(subject, row));

/** What came out, in a few sentences. */
export function loadMatrixSummary(): string {
  const counts = measured().map(({ row }) => row.runs.length);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const each = fewest === most ? `${most} of each row` : `between ${fewest} and ${most} of each row`;
  const runs = counts.reduce((sum, one) => sum + one, 0);
  const [failed, missed] = (['false fail', 'missed'] as const).map((what) =>
    countOf(allWrong().filter(({ result }) => result === what).length, 'run'),
  );
  const open = measured().flatMap(({ subject: { fault }, row }) =>
    fault.missed === undefined
      ? row.runs.filter((run) => resultOf(fault.deserved, run) === 'no verdict')
      : [],
  );
  const windows = PROFILE_IDS.map((profile) => conditionsOf(profile).minuteSeconds);
  return `The table states ${runs} runs in all, ${each}. In them, ${failed} against a conforming service failed, and ${missed} missed a fault that the profile should find; ${open.length} others gave no verdict, because this machine sent late. The limit is 60 in windows of ${Math.min(...windows)} to ${Math.max(...windows)} s.`;
}

const NAMES = loadedServices.map(({ name }) => name);

/** A table with a row for each of these with each of its profiles: what `about` states, and what became of its runs against each service. */
function tableOf(
  heads: readonly string[],
  faults: readonly LoadFault[],
  about: (fault: LoadFault, profile: string) => readonly string[],
): string {
  const rows = faults.flatMap((fault) =>
    fault.profiles.map((profile) => {
      const all = measured().filter(({ subject }) => subject.fault === fault && subject.profile === profile);
      const cells = NAMES.map((name) =>
        cellOf(fault, all.find(({ subject }) => subject.service === name)?.row.runs ?? []),
      );
      return [...about(fault, `\`${profile}\``), ...cells];
    }),
  );
  return table([...heads, ...NAMES], rows);
}

/** How many runs found a fault, or failed a healthy variant, and how many gave no verdict. */
function cellOf({ deserved }: LoadFault, runs: readonly LoadRun[]): string {
  if (runs.length === 0) return 'not run';
  const results = runs.map((run) => resultOf(deserved, run));
  const count = (wanted: ReturnType<typeof resultOf>) => results.filter((one) => one === wanted).length;
  const open = count('no verdict');
  return deserved.verdict === 'no fail'
    ? `${count('false fail')} of ${runs.length} failed${open === 0 ? '' : `, ${open} inconclusive`}`
    : `${count('caught')} of ${runs.length}${open === 0 ? '' : `, ${open} sent late`}`;
}

/** What each fault is, and how many runs found it. */
export const loadFaultTable = (): string =>
  tableOf(['Fault', 'What the service does', 'Profile', 'Found by'], loadFaults, (fault, profile) => [
    ...[`\`${fault.id}\``, fault.description, profile, foundBy(fault)],
  ]);

function foundBy({ deserved, missed }: LoadFault): string {
  if (missed !== undefined || deserved.verdict === 'no fail') return `no profile judges it: ${missed}`;
  const ids = deserved.ids.map((id) => `\`${id}\``).join(' or ');
  return deserved.verdict === 'fail' ? ids : `${ids}, ${deserved.verdict}`;
}

/** What each healthy variant is, and how many runs failed it. */
export const healthyTable = (): string =>
  tableOf(['Service', 'Profile'], healthyVariants, ({ description }, profile) => [description, profile]);

/** Each false fail and each miss, one line each. */
export const wentWrong = (): string =>
  allWrong()
    .map(({ text, reason }) => `- ${text}${reason === undefined ? '' : ` The reason: ${reason}.`}`)
    .join('\n') || 'Nothing.';
