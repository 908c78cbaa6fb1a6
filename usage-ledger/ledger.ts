import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../load/user-folders.ts';
import { GuardError } from './guard-error.ts';
import type { LedgerLine } from './ledger-line.ts';
import { identify, isAbout, parseLine } from './ledger-line.ts';

/** What is known of one run of a key. */
export interface KnownRun {
  readonly run: string;
  readonly by: string;
  /** What it sent; what it may send, as long as it has not said how it ended. */
  readonly requests: number;
  /** Milliseconds since the Unix epoch. */
  readonly until: number;
}

/** What the ledger knows of a key at a target. */
export interface Known {
  /** In the order in which they began. */
  readonly runs: readonly KnownRun[];
  /** Lines that cannot be read, of any key: what they told is lost. */
  readonly damaged: number;
}

/** A run that is about to begin. */
export interface Beginning {
  readonly key: string;
  readonly origin: string;
  readonly by: string;
  readonly requests: number;
  /** When it ends at the latest, milliseconds since the Unix epoch. */
  readonly until: number;
}

/** A run in the ledger. */
export interface Entry {
  readonly run: string;
  /** Says what was sent in the end, and when it ended (milliseconds since the Unix epoch). */
  settle(requests: number, until: number): void;
}

/** Days after which a file is dropped: every window of a day has passed, and the longest run that began in it. */
const KEPT_DAYS = 8;

const DAY_MS = 86_400_000;

/** A longer file is none of ours, and is not read into memory. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * What each key has used of its day at each target: one file of NDJSON for each day (UTC) on
 * which runs began, in the user's state folder. Lines are only ever appended, each in one write,
 * so that several processes need no lock; old files are removed whole.
 */
export class Ledger {
  readonly folder: string;

  /** @param folder made where it is missing. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** What is known of this key at this target. @throws {GuardError} when a file cannot be read. */
  known(key: string, origin: string): Known {
    const runs = new Map<string, KnownRun>();
    let damaged = 0;
    for (const text of this.#files().flatMap((name) => this.#linesOf(name))) {
      const line = parseLine(text);
      if (line === undefined) damaged += 1;
      else if (line.origin === origin && isAbout(line, key)) {
        const { run, by, requests, until } = line;
        runs.set(run, { run, by, requests, until });
      }
    }
    return { runs: [...runs.values()], damaged };
  }

  /**
   * Enters a run before its first request. Whoever enters first is first: of two processes that begin at
   * the same time the other one finds this run when it looks.
   * @param now milliseconds since the Unix epoch.
   * @throws {GuardError} when it cannot be written.
   */
  begin({ key, ...beginning }: Beginning, now: number): Entry {
    const name = fileOf(now);
    const line = { ...identify(key), ...beginning };
    this.#append(name, line);
    this.#drop(now);
    return {
      run: line.run,
      settle: (requests, until) => this.#append(name, { ...line, requests, until }),
    };
  }

  #files(): readonly string[] {
    try {
      return readdirSync(this.folder)
        .filter((name) => FILE.test(name))
        .sort();
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw new GuardError(`The ledger in ${this.folder} cannot be read (${codeOf(error)}).`);
    }
  }

  #linesOf(name: string): readonly string[] {
    const path = join(this.folder, name);
    try {
      if (statSync(path).size > MOST_BYTES) {
        throw new GuardError(`${path} is too long for a ledger: remove it.`);
      }
      return readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '');
    } catch (error) {
      // Another process may have dropped an old file meanwhile.
      if (codeOf(error) === 'ENOENT') return [];
      if (error instanceof GuardError) throw error;
      throw new GuardError(`${path} cannot be read (${codeOf(error)}): mend it or remove it.`);
    }
  }

  /** A line end before it as well: whatever a crash left unfinished there spoils no other line. */
  #append(name: string, line: LedgerLine): void {
    try {
      makeFolders(this.folder, 0o700);
      appendFileSync(join(this.folder, name), `\n${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      throw new GuardError(
        `What this day has used cannot be written down in ${this.folder} (${codeOf(error)}): make room or mend its permissions.`,
      );
    }
  }

  #drop(now: number): void {
    const oldest = fileOf(now - KEPT_DAYS * DAY_MS);
    for (const name of this.#files().filter((one) => one < oldest)) {
      rmSync(join(this.folder, name), { force: true });
    }
  }
}

const FILE = /^used-\d{4}-\d\d-\d\d\.ndjson$/;

const fileOf = (now: number): string => `used-${new Date(now).toISOString().slice(0, 10)}.ndjson`;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
