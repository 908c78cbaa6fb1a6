import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Runs tasks, so many at a time, and returns their results in the order of the tasks. */
export async function inParallel<Task, Result>(
  tasks: readonly Task[],
  atOnce: number,
  run: (task: Task) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < tasks.length; at = next++) {
      const task = tasks[at];
      if (task !== undefined) results.set(at, await run(task));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, worker));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}

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

/** What is measured of some subjects, what must come out, and where it is stated. */
interface Study<Subject, Row, Option extends string> {
  /** What `npm run evaluate` calls it. */
  readonly name: string;
  /** The folder of its results, from here. */
  readonly folder: string;
  /** What it measures, in whole sentences for `--help`. */
  readonly about: string;
  /** In the order of the results. */
  readonly subjects: readonly Subject[];
  readonly nameOf: (subject: Subject) => string;
  /** How often each is measured, and how many at a time, unless the user says otherwise. */
  readonly runs: number;
  readonly parallel: number;
  /** Its own options, and their values where they are not given. */
  readonly options?: Readonly<Record<Option, string>>;
  /** Why this machine cannot measure anything. */
  readonly impossible?: string | false;
  /** What lasts as long as the measuring, such as a busy core. */
  readonly during?: (measuring: () => Promise<void>) => Promise<void>;
  /** Measures one subject. `known` is its row of the committed results; undefined means that there is nothing to measure here. */
  readonly measure: (
    subject: Subject,
    given: Given<Option>,
    known: Row | undefined,
  ) => Promise<Row | undefined>;
  /** What was measured, for a person. */
  readonly summary: (row: Row, subject: Subject) => string;
  /** What was measured and must not be, one sentence each. */
  readonly wrong: (row: Row, subject: Subject) => readonly string[];
}

/** What the user gave. */
interface Given<Option extends string> {
  readonly runs: number;
  readonly parallel: number;
  readonly options: Readonly<Record<Option, string>>;
  /** Whether the rows are stored. */
  readonly write: boolean;
}

/**
 * Conducts a study from the command line: measures the subjects that are named, or all of them, prints what comes out,
 * and with `--write` stores each row at once, in the order of the subjects, so that an interrupted study loses nothing.
 * The exit code is 1 where something is wrong or a measurement failed.
 */
export async function conduct<Subject, Row, Option extends string = never>(
  study: Study<Subject, Row, Option>,
): Promise<void> {
  const { given, chosen } = readArguments(study);
  if (study.impossible !== undefined && study.impossible !== false) return end(2, study.impossible);
  const results = new Map(Object.entries(readResults<Row>(study.folder)));
  const problems: string[] = [];
  let [measured, isInterrupted] = [0, false];
  // What is in progress is finished, so that everything that was started is stopped.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isInterrupted = true));

  const measureOne = async (subject: Subject): Promise<void> => {
    if (isInterrupted) return;
    const name = study.nameOf(subject);
    try {
      const row = await study.measure(subject, given, results.get(name));
      if (row === undefined) return;
      measured += 1;
      print(`${name}: ${study.summary(row, subject)}`);
      problems.push(...study.wrong(row, subject).map((one) => `${name}: ${one}`));
      results.set(name, row);
      if (given.write) store(study, results);
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const measuring = async (): Promise<void> => void (await inParallel(chosen, given.parallel, measureOne));
  await (study.during?.(measuring) ?? measuring());
  for (const one of problems) process.stderr.write(`${one}\n`);
  end(problems.length > 0 ? 1 : 0, `${measured} measured, ${problems.length} problems.`);
}

/** Writes a line for the person who conducts a study. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

function end(exitCode: number, sentence: string): void {
  print(sentence);
  process.exitCode = exitCode;
}

/** Writes the results of a study, in the order of its subjects. */
function store<Subject, Row, Option extends string>(
  { folder, subjects, nameOf }: Study<Subject, Row, Option>,
  results: ReadonlyMap<string, Row>,
): void {
  const known = subjects.map(nameOf).filter((name) => results.has(name));
  writeFileSync(
    fileOf(folder),
    resultsText(Object.fromEntries(known.map((name) => [name, results.get(name)]))),
  );
}

/**
 * Reads the options of a study and the subjects that its arguments name. `--help` prints the usage and ends the process
 * with 0. An option or a name that does not exist ends it with 2, one sentence and the usage.
 */
function readArguments<Subject, Row, Option extends string>(study: Study<Subject, Row, Option>) {
  const texts = Object.entries<string>({
    runs: `${study.runs}`,
    parallel: `${study.parallel}`,
    ...study.options,
  });
  const usage = `npm run evaluate -- ${study.name} [NAME… ${texts
    .map(([name, value]) => `--${name} ${value === '' ? '…' : value}`)
    .join(' ')} --write]

${study.about}
A NAME chooses the subjects whose names have all of its words. --write stores the results.`;
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  const names = study.subjects.map(study.nameOf);
  try {
    const options = texts.map(([name, value]) => [name, { type: 'string', default: value }] as const);
    const { values, positionals } = parseArgs({
      options: { ...Object.fromEntries(options), write: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const unknown = positionals.filter((wanted) => !names.some((name) => hasWords(name, wanted)));
    if (unknown.length > 0) throw new TypeError(`There is no ${unknown.join(', ')}.`);
    const given = values as Readonly<Record<Option | 'runs' | 'parallel', string>>;
    return {
      given: {
        write: values['write'] === true,
        options: given,
        runs: Number(given.runs),
        parallel: Number(given.parallel),
      },
      chosen: study.subjects.filter(
        (_, at) =>
          positionals.length === 0 || positionals.some((wanted) => hasWords(names[at] ?? '', wanted)),
      ),
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n${usage}\n`);
    process.exit(2);
  }
}

const wordsOf = (name: string): readonly string[] => name.split(/[ /]+/);

const hasWords = (name: string, wanted: string): boolean =>
  wordsOf(wanted).every((word) => wordsOf(name).includes(word));
