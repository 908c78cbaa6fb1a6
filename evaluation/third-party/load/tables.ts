import { countOf } from '../../../kernel/basics/text.ts';
import type { Outcome } from '../../../kernel/findings/record.ts';
import type { ProfileId } from '../../../load/profiles/index.ts';
import { table } from '../../../tools/docs/blocks.ts';
import { readResults } from '../../study.ts';
import type { Deserved, Verdicts } from '../breaks/break.ts';
import { foundIn } from '../breaks/break.ts';
import { loadedServices } from '../services.ts';
import type { LoadFault } from './faults.ts';
import { conditions, healthyVariants, loadFaults, MISSED_AT_TIMES } from './faults.ts';

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

/** What became of a fault in one run; `sent late` where nothing was judged because this machine sent late. */
export const resultOf = (deserved: Deserved, run: LoadRun): ReturnType<typeof foundIn> | 'sent late' => {
  const found = foundIn(deserved, run);
  const isLate = run.fails.length === 0 && run.inconclusive.includes('SENT');
  return found === 'missed' && isLate ? 'sent late' : found;
};

/** The runs against conforming services in which something failed: each is a defect of this project. */
export const falseLoadFails = ({ name, fault }: LoadSubject, { runs }: LoadRuns): readonly string[] =>
  runs
    .filter((run) => resultOf(fault.deserved, run) === 'false fail')
    .map(({ because }) => `${name}: ${because.join(' ')}`);

/** The runs in which the profile that should find a fault judged and did not find it, and why some runs miss it, where a reason is known. */
export const missedFaults = ({ name, service, fault }: LoadSubject, { runs }: LoadRuns) =>
  fault.missed !== undefined
    ? []
    : runs
        .filter((run) => resultOf(fault.deserved, run) === 'missed')
        .map(({ outcome, because }) => ({
          text: `${name}: ${outcome}; ${because.join(' ')}`,
          because: MISSED_AT_TIMES[`${service} ${fault.id}`],
        }));

/** Every subject with its runs. */
const measured = () => {
  const known = readResults<LoadRuns>('third-party/load');
  return loadSubjects.flatMap((subject) => {
    const row = known[subject.name];
    return row === undefined ? [] : [{ subject, row }];
  });
};

const falseFails = (): readonly string[] =>
  measured().flatMap(({ subject, row }) => falseLoadFails(subject, row));
const misses = () => measured().flatMap(({ subject, row }) => missedFaults(subject, row));

/** What came out, in a few sentences. */
export function loadMatrixSummary(): string {
  const counts = measured().map(({ row }) => row.runs.length);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const each = fewest === most ? `${most} of each row` : `between ${fewest} and ${most} of each row`;
  const runs = counts.reduce((sum, one) => sum + one, 0);
  const [failed, missed] = [falseFails().length, misses().length].map((count) => countOf(count, 'run'));
  return `The table states ${runs} runs in all, ${each}. In them, ${failed} against a conforming service failed, and ${missed} missed a fault that the profile should find; ${openRuns()} others gave no verdict, because this machine sent late. The limit is 60 in windows of ${windowsText()}.`;
}

/** Runs that should have passed or found something, and did neither. */
const openRuns = (): number =>
  measured().reduce((sum, { subject: { fault }, row }) => {
    if (fault.missed !== undefined) return sum;
    const isOpen = (run: LoadRun): boolean =>
      fault.deserved.verdict === 'no fail'
        ? run.outcome === 'incomplete'
        : resultOf(fault.deserved, run) === 'sent late';
    return sum + row.runs.filter(isOpen).length;
  }, 0);

/** From the shortest window to the longest. */
function windowsText(): string {
  const lengths = Object.values(conditions).map(({ limits }) => limits.minuteSeconds);
  return `${Math.min(...lengths)} to ${Math.max(...lengths)} s`;
}

/** The runs of a fault with a profile, of each service. */
function runsOf(fault: LoadFault, profile: string): readonly (readonly LoadRun[])[] {
  const all = measured().filter(({ subject }) => subject.fault === fault && subject.profile === profile);
  return loadedServices.map(
    ({ name }) => all.find(({ subject }) => subject.service === name)?.row.runs ?? [],
  );
}

const NAMES = loadedServices.map(({ name }) => name);

/** One row for each fault: what the service does, and how many runs found it. */
export function loadFaultTable(): string {
  const rows = loadFaults.flatMap((fault) =>
    fault.profiles.map((profile) => [
      ...[`\`${fault.id}\``, fault.description, `\`${profile}\``, foundBy(fault)],
      ...runsOf(fault, profile).map((runs) => foundCell(fault, runs)),
    ]),
  );
  return table(['Fault', 'What the service does', 'Profile', 'Found by', ...NAMES], rows);
}

function foundBy({ deserved, missed }: LoadFault): string {
  if (missed !== undefined || deserved.verdict === 'no fail') return `no profile judges it: ${missed}`;
  const ids = deserved.ids.map((id) => `\`${id}\``).join(' or ');
  return deserved.verdict === 'fail' ? ids : `${ids}, ${deserved.verdict}`;
}

function foundCell({ deserved }: LoadFault, runs: readonly LoadRun[]): string {
  if (runs.length === 0) return 'not run';
  const found = runs.map((run) => resultOf(deserved, run));
  const late = found.filter((one) => one === 'sent late').length;
  const caught = found.filter((one) => one === 'caught').length;
  return `${caught} of ${runs.length}${late === 0 ? '' : `, ${late} sent late`}`;
}

/** One row for each healthy variant and profile: how many runs failed, and how many were inconclusive. */
export function healthyTable(): string {
  const rows = healthyVariants.flatMap((variant) =>
    variant.profiles.map((profile) => [
      ...[variant.description, `\`${profile}\``],
      ...runsOf(variant, profile).map(healthyCell),
    ]),
  );
  return table(['Service', 'Profile', ...NAMES], rows);
}

function healthyCell(runs: readonly LoadRun[]): string {
  if (runs.length === 0) return 'not run';
  const open = runs.filter(({ outcome }) => outcome === 'incomplete').length;
  const failed = runs.filter(({ fails }) => fails.length > 0).length;
  return `${failed} of ${runs.length} failed${open === 0 ? '' : `, ${open} inconclusive`}`;
}

/** Each false fail and each miss, one line each. */
export const wentWrong = (): string =>
  [
    ...falseFails().map((one) => `- False fail: ${one}`),
    ...misses().map(
      ({ text, because }) => `- Missed: ${text}${because === undefined ? '' : ` The reason: ${because}.`}`,
    ),
  ].join('\n') || 'Nothing.';
