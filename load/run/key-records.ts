import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { COMMAND, shellWord } from '../../kernel/basics/text.ts';
import { fileTrouble } from '../../kernel/basics/user-files.ts';
import type { KeyAlias } from '../model/profile.ts';
import type { KeyTrace, Sample, ScenarioEvent } from '../model/sample.ts';
import { recordIn } from './samples.ts';

/** Lines of a key, in the order in which they were added, each with the number of its part. */
interface SpooledKey {
  readonly key: string;
  readonly lines: readonly SpooledLine[];
}

interface SpooledLine {
  readonly part: number;
  readonly line: string;
}

/** Files of a spool. Each holds about the same number of keys, and is read at once. */
const FILES = 256;

/** Characters that are kept in memory before they are written: a run of a few thousand requests needs no file. */
const MOST_KEPT = 4 << 20;

/** Separates the number of a part from its line; no number contains it. */
const SEPARATOR = ' ';

/**
 * Sorts the lines of a run by key, with little memory: lines go to one of many files by a hash of their key,
 * and are read one file after the other. The files are in the folder for temporary files, readable by this user only.
 */
export class KeySpool {
  readonly #lines: string[][] = Array.from({ length: FILES }, () => []);
  readonly #files: (number | undefined)[] = Array.from({ length: FILES }, () => undefined);
  readonly #paths: readonly string[];
  #folder: string | undefined;
  #kept = 0;

  /** @param paths where the samples are, for the sentence about files that cannot be written. */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** Adds a line of a key. @throws {UserError} when the files cannot be written, for example on a full disk. */
  add(key: string, part: number, line: string): void {
    this.#lines[fileOf(key)]?.push(key, `${part}${SEPARATOR}${line}`);
    this.#kept += line.length;
    if (this.#kept <= MOST_KEPT) return;
    try {
      this.#write();
    } catch (error) {
      throw unsorted(this.#paths, error);
    }
  }

  /** The lines of every key, one key after the other, in no particular order of keys. */
  *keys(): Iterable<SpooledKey> {
    for (const [file, kept] of this.#lines.entries()) {
      const byKey = new Map<string, SpooledLine[]>();
      const written =
        this.#files[file] === undefined ? [] : readFileSync(this.#pathOf(file), 'utf8').split('\n');
      // A file ends with the end of a line.
      if (written.length > 0) written.pop();
      for (const lines of [written, kept]) collect(lines, byKey);
      this.#lines[file] = [];
      for (const [key, lines] of byKey) yield { key, lines };
    }
  }

  remove(): void {
    for (const file of this.#files) if (file !== undefined) closeSync(file);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #pathOf = (file: number): string => join(this.#folder ?? '', String(file));

  #write(): void {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'petstore-spool-'));
    for (const [file, lines] of this.#lines.entries()) {
      if (lines.length === 0) continue;
      const descriptor = this.#files[file] ?? openSync(this.#pathOf(file), 'wx', 0o600);
      this.#files[file] = descriptor;
      writeAll(descriptor, Buffer.from(`${lines.join('\n')}\n`));
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

/** Lines are in pairs: a key, and its line. */
function collect(lines: readonly string[], byKey: Map<string, SpooledLine[]>): void {
  for (let at = 0; at < lines.length; at += 2) {
    const [key = '', text = ''] = [lines[at], lines[at + 1]];
    const end = text.indexOf(SEPARATOR);
    const line = { part: Number(text.slice(0, end)), line: text.slice(end + 1) };
    const own = byKey.get(key);
    if (own === undefined) byKey.set(key, [line]);
    else own.push(line);
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** FNV-1a, 32 bits. */
function fileOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % FILES;
}

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
export function keyRecords({ key, lines }: SpooledKey): KeyRecords {
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
