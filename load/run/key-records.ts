import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { COMMAND, shellWord } from '../../kernel/basics/text.ts';
import { fileTrouble } from '../../kernel/basics/user-files.ts';
import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { KeyAlias } from '../model/profile.ts';
import type { KeyTrace, Sample, ScenarioEvent } from '../model/sample.ts';
import { recordIn } from './samples.ts';

/** A line of the samples, which begins with the name of its key; undefined of any other line. */
export const keyIn = (line: string): string | undefined => KEYED.exec(line)?.[1];

const KEYED = /^\{"key":"([a-z]+(?:-[0-9]+)?)",.*\}$/;

/** Files of a spool. Each holds about the same number of keys, and is read at once. */
const FILES = 256;

/** Characters that are kept in memory before they are written: a run of a few thousand requests needs no file. */
const MOST_KEPT = 4 << 20;

/**
 * Sorts the lines of a run by key, with little memory: lines go to one of many files by the number in the name of their
 * key, and are read one file after the other. The files are in the folder for temporary files, readable by this user only.
 */
export class KeySpool {
  readonly #lines: string[][] = Array.from({ length: FILES }, () => []);
  readonly #paths: readonly string[];
  #folder: string | undefined;
  #kept = 0;

  /** @param paths where the samples are, for the sentence about files that cannot be written. */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** Adds a line of a key. @throws {UserError} when the files cannot be written, for example on a full disk. */
  add(key: string, line: string): void {
    this.#lines[fileOf(key)]?.push(line);
    this.#kept += line.length;
    if (this.#kept <= MOST_KEPT) return;
    try {
      this.#write();
    } catch (error) {
      throw unsorted(this.#paths, error);
    }
  }

  /** The lines of every key in the order in which they were added, one key after the other, in no particular order of keys. */
  *keys(): Iterable<readonly [key: string, lines: readonly string[]]> {
    for (const [file, kept] of this.#lines.entries()) {
      this.#lines[file] = [];
      yield* groupedBy([...this.#written(file), ...kept], keyOfSpooled);
    }
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #written(file: number): readonly string[] {
    if (this.#folder === undefined) return [];
    const path = join(this.#folder, String(file));
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  }

  #write(): void {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'petstore-spool-'));
    for (const [file, lines] of this.#lines.entries()) {
      if (lines.length > 0) appendFileSync(join(this.#folder, String(file)), `${lines.join('\n')}\n`);
      this.#lines[file] = [];
    }
    this.#kept = 0;
  }
}

const unsorted = (paths: readonly string[], error: unknown): UserError =>
  new UserError(
    `The samples are kept in ${paths.join(', ')}, but cannot be sorted in ${tmpdir()}: ${fileTrouble(error)}; free disk space there, or name another folder in TMPDIR, and judge them with: ${COMMAND} judge ${paths.map(shellWord).join(' ')}`,
    { cause: error },
  );

/** The key of a line in which `keyIn` found one. */
const keyOfSpooled = (line: string): string => line.slice(BEFORE_KEY, line.indexOf('"', BEFORE_KEY));

const BEFORE_KEY = '{"key":"'.length;

/** The keys of a fleet are numbered. The name in a foreign file may have more digits than a number. */
const fileOf = (key: string): number => Number(/\d{1,9}$/.exec(key)?.[0] ?? 0) % FILES;

/**
 * Reads the lines of a key. A part that arrived twice holds the same records, which count once.
 * @returns also how many records were repeated, the first request that was recorded with two outcomes, by two runs, and
 * how many lines are no record.
 */
export function keyRecords(key: string, lines: readonly string[]) {
  const samples = new Map<number, Sample>();
  const events = new Map<string, ScenarioEvent>();
  let [repeated, damaged] = [0, 0];
  let conflict: number | undefined;
  for (const line of lines) {
    const record = recordIn(line);
    if (record === undefined) damaged += 1;
    else if ('outcome' in record) {
      const known = samples.get(record.n);
      if (known === undefined) samples.set(record.n, record);
      else if (JSON.stringify(known) === JSON.stringify(record)) repeated += 1;
      else conflict ??= record.n;
    } else {
      repeated += events.has(line) ? 1 : 0;
      events.set(line, record);
    }
  }
  const trace: KeyTrace = {
    key: key as KeyAlias,
    samples: [...samples.values()],
    events: [...events.values()],
  };
  return { trace, repeated, conflict, damaged };
}
