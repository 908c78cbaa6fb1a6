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

/** A line of a key, with the number of the part that holds it. */
interface SpooledLine {
  readonly key: string;
  readonly part: number;
  readonly line: string;
}

/** Files of a spool. Each holds about the same number of keys, and is read at once. */
const FILES = 256;

/** Characters that are kept in memory before they are written: a run of a few thousand requests needs no file. */
const MOST_KEPT = 4 << 20;

/**
 * Sorts the lines of a run by key, with little memory: lines go to one of many files by the number in the name of their
 * key, and are read one file after the other. The files are in the folder for temporary files, readable by this user only.
 */
export class KeySpool {
  /** Each line begins with the key and the number of its part. */
  readonly #lines: string[][] = Array.from({ length: FILES }, () => []);
  readonly #paths: readonly string[];
  #folder: string | undefined;
  #kept = 0;

  /** @param paths where the samples are, for the sentence about files that cannot be written. */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** Adds a line of a key. @throws {UserError} when the files cannot be written, for example on a full disk. */
  add(key: string, part: number, line: string): void {
    this.#lines[fileOf(key)]?.push(`${key} ${part} ${line}`);
    this.#kept += line.length;
    if (this.#kept <= MOST_KEPT) return;
    try {
      this.#write();
    } catch (error) {
      throw unsorted(this.#paths, error);
    }
  }

  /** The lines of every key in the order in which they were added, one key after the other, in no particular order of keys. */
  *keys(): Iterable<readonly [key: string, lines: readonly SpooledLine[]]> {
    for (const [file, kept] of this.#lines.entries()) {
      this.#lines[file] = [];
      yield* groupedBy([...this.#written(file), ...kept].map(spooledLine), ({ key }) => key);
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

function spooledLine(text: string): SpooledLine {
  const key = text.slice(0, text.indexOf(' '));
  const part = text.slice(key.length + 1, text.indexOf(' ', key.length + 1));
  return { key, part: Number(part), line: text.slice(key.length + part.length + 2) };
}

/** The keys of a fleet are numbered. The name in a foreign file may have more digits than a number. */
const fileOf = (key: string): number => Number(/\d{1,9}$/.exec(key)?.[0] ?? 0) % FILES;

export interface KeyRecords {
  readonly trace: KeyTrace;
  /** How many records arrived more than once; they count once. */
  readonly repeated: number;
  /** The number of a request that was recorded with two outcomes, by two runs; undefined where there is none. */
  readonly conflict: number | undefined;
  /** The parts with a line that is no record. */
  readonly damagedParts: ReadonlySet<number>;
}

/** Reads the lines of a key. A part that arrived twice holds the same records, which count once. */
export function keyRecords(key: string, lines: readonly SpooledLine[]): KeyRecords {
  const samples = new Map<number, Sample>();
  const events = new Map<string, ScenarioEvent>();
  const damagedParts = new Set<number>();
  let repeated = 0;
  let conflict: number | undefined;
  for (const { part, line } of lines) {
    const record = recordIn(line);
    if (record === undefined) damagedParts.add(part);
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
  const trace = { key: key as KeyAlias, samples: [...samples.values()], events: [...events.values()] };
  return { trace, repeated, conflict, damagedParts };
}
