import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { EARLIER } from '../../kernel/basics/json.ts';
import { countOf } from '../../kernel/basics/text.ts';
import { fileTrouble } from '../../kernel/basics/user-files.ts';
import { greatest, least } from '../../kernel/exchanges/collections.ts';
import type { LoadEnding } from '../../kernel/findings/load.ts';
import { keyText } from '../model/key-list.ts';
import type { Scenario } from '../model/profile.ts';
import type { keyRecords } from './key-records.ts';
import type { KeyArrival } from './load-ending.ts';
import { missingRecords, stoppedEnding } from './load-ending.ts';
import { RUN_FILE } from './run-file.ts';
import { COMPRESSED_SAMPLES_FILE, SAMPLES_FILE } from './samples.ts';

/**
 * What arrived of a run that several runners sent: by key, since each key has one runner. Of N runners, the first
 * has keys 1, N + 1, 2 N + 1 and so on, which is how k6 divides equal execution segments.
 */
export class Arrival {
  readonly #keysOfRun: ReadonlySet<string>;
  readonly #shares: readonly (readonly Scenario[])[];
  /** Times are milliseconds since the Unix epoch. */
  readonly #keys = new Map<string, KeyArrival & { readonly firstSent: number; readonly last: number }>();
  readonly #problems: string[] = [];
  #repeated = 0;
  #unknown = 0;

  /** @param runners how many runs of k6 sent the scenarios together. */
  constructor(scenarios: readonly Scenario[], runners: number) {
    this.#keysOfRun = new Set(scenarios.map(({ key }) => key));
    this.#shares = Array.from({ length: runners }, (_, runner) =>
      scenarios.filter((_one, at) => at % runners === runner),
    );
  }

  /** Takes note of a key. */
  note({
    trace: { key, samples, events },
    repeated,
    conflict,
    damaged,
  }: ReturnType<typeof keyRecords>): void {
    if (!this.#keysOfRun.has(key)) {
      this.#unknown += 1;
      return;
    }
    this.#repeated += repeated;
    if (damaged > 0) this.problem(`${countOf(damaged, 'line')} of ${keyText(key)} cannot be read`);
    if (conflict !== undefined)
      this.problem(
        `request ${conflict} of ${keyText(key)} was recorded with two outcomes: the parts belong to different runs`,
      );
    this.#keys.set(key, {
      recorded: samples.length,
      end: events.find(({ kind }) => kind !== 'waiting'),
      firstSent: least(samples.map(({ sent }) => sent)),
      last: greatest([...samples.map(({ received }) => received), ...events.map(({ at }) => at)]),
    });
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  /** When the first request was sent and the last record made, milliseconds since the Unix epoch; undefined where nothing was recorded. */
  get span(): { readonly from: number; readonly until: number } | undefined {
    const all = [...this.#keys.values()];
    const from = least(all.map(({ firstSent }) => firstSent));
    const until = greatest(all.map(({ last }) => last));
    return Number.isFinite(from) && Number.isFinite(until) ? { from, until } : undefined;
  }

  ending(): LoadEnding {
    const stopped = stoppedEnding(this.#keys);
    if (stopped !== undefined) return stopped;
    const unknown =
      this.#unknown === 0 ? [] : [`the parts hold ${countOf(this.#unknown, 'key')} of another run`];
    const problems = [...this.#runnerProblems(), ...this.#problems, ...unknown];
    if (problems.length > 0)
      return {
        how: 'failed',
        because: `The samples are not complete: ${problems.slice(0, MOST_NAMED).join('; ')}.`,
      };
    return { how: 'finished', because: `Every planned request was sent.${this.#notes()}` };
  }

  #runnerProblems(): readonly string[] {
    return this.#shares.flatMap((own, runner) => {
      const name = this.#shares.length === 1 ? '' : ` of runner ${runner + 1} of ${this.#shares.length}`;
      const missing = own.filter(({ key }) => !this.#keys.has(key));
      if (own.length === 0) return [];
      if (missing.length === own.length) return [`all samples${name} are missing`];
      const cut = own.flatMap(({ key }) => missingRecords(key, this.#keys.get(key)) ?? []);
      return cut.length === 0
        ? []
        : [`the samples${name} are cut for ${cut.length} of ${countOf(own.length, 'key')}: ${cut[0]}`];
    });
  }

  #notes(): string {
    const repeated =
      this.#repeated === 0
        ? ''
        : ` ${countOf(this.#repeated, 'record')} arrived more than once and count once.`;
    if (this.#shares.length === 1) return repeated;
    const starts = this.#shares
      .map((own) => least(own.flatMap(({ key }) => this.#keys.get(key)?.firstSent ?? [])))
      .filter(Number.isFinite);
    const apart = (greatest(starts) - least(starts)) / 1000;
    return ` The ${this.#shares.length} runners began within ${apart.toFixed(1)} s by their own clocks.${repeated}`;
  }
}

/** Problems that are named; more would say nothing new. */
const MOST_NAMED = 5;

/** Sub-folders are searched this deep: a bucket or a volume holds one folder for each runner. */
const DEEPEST = 3;

export type RunParts = ReturnType<typeof findParts>;

/** The files that a run of this machine has just left in its folder, beside which there may be those of other runs. */
export function partsLeftIn(folder: string): RunParts {
  const samples = [SAMPLES_FILE, COMPRESSED_SAMPLES_FILE].map((name) => join(folder, name));
  return {
    samples: samples.filter((path) => existsSync(path)).slice(0, 1),
    runFiles: [join(folder, RUN_FILE)],
  };
}

/**
 * Finds the files of a run. What was moved aside of an earlier run in the same folder is not searched.
 * @throws {UserError} when a path cannot be read.
 */
export function findParts(paths: readonly string[]) {
  const found = new Set(
    paths.flatMap((path) => filesIn(path, DEEPEST, true)).map((path) => realpathSync(path)),
  );
  // A file is removed only once it was compressed as a whole.
  const files = [...found]
    .sort()
    .filter((path) => !found.has(path.replace(/\.gz$/, '')) || !path.endsWith('.gz'));
  return {
    samples: files.filter((path) => basename(path) !== RUN_FILE),
    runFiles: files.filter((path) => basename(path) === RUN_FILE),
  };
}

function filesIn(path: string, depth: number, named: boolean): readonly string[] {
  try {
    if (!statSync(path).isDirectory())
      return named || basename(path) === RUN_FILE || /\.ndjson(?:\.gz)?$/.test(path) ? [path] : [];
    if (depth < 0) return [];
    return readdirSync(path)
      .filter((name) => !name.startsWith(EARLIER))
      .flatMap((name) => filesIn(join(path, name), depth - 1, false));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${path} cannot be read: ${fileTrouble(error)}. Name the folder of a load run.`);
  }
}
