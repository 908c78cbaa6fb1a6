import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../basics/errors.ts';
import { parsedJson } from '../basics/json.ts';
import type { Static } from '../basics/shape.ts';
import { count, numberFrom, object, text } from '../basics/shape.ts';
import { fileErrorCode, fileTrouble, makeFolders, thisUserPlace, userFolder } from '../basics/user-files.ts';

/** A load run must not start, or the ledger cannot be used; the message is one or two sentences for the user: why, and what to do. */
export class GuardError extends UserError {
  override readonly name = 'GuardError';
}

/** Milliseconds since the Unix epoch; a Date cannot show much later moments, and years have four digits until then. */
const LATEST_END = Date.UTC(9999, 11, 31);

/** What a run may send with a key when it starts, and what it sent when it ends. A killed run leaves only the first: never too little. */
export const ledgerLine = object({
  /** The same in both lines of a run. */
  run: text,
  /** Random for each run, so that two runs of one key cannot be linked by reading the file. */
  salt: text,
  /** SHA-256 of the salt and the key, in hex; never the key. */
  key: text,
  /** Origin of the target, as in `https://api.example.com`. */
  origin: text,
  /** What was run, for a person: `load at-limit`, `certify`. */
  command: text,
  requests: count,
  /** When the last request is sent at the latest, milliseconds since the Unix epoch. */
  until: numberFrom(0, LATEST_END),
});
type LedgerLine = Static<typeof ledgerLine>;

const saltedHash = (key: string, salt: string): string =>
  createHash('sha256').update(salt).update('\0').update(key).digest('hex');

/** What the ledger holds about one run of a key: what it sent, or may send as long as it has not reported its end. */
export type RecordedRun = Pick<LedgerLine, 'run' | 'command' | 'requests' | 'until'>;

export interface KeyHistory {
  /** In the order in which they started. */
  readonly runs: readonly RecordedRun[];
  /** How many lines, of any key, cannot be read; what they recorded is not counted. */
  readonly damagedLines: number;
}

/** A run that is about to start, with the most that it sends. */
export interface StartingRun extends Pick<LedgerLine, 'origin' | 'command' | 'requests' | 'until'> {
  readonly key: string;
}

/** Records what a run sent in the end, and when it ended (milliseconds since the Unix epoch). */
export type SettleEntry = (requests: number, until: number) => void;

/** Days after which a file is removed: by then every day window has passed, and so has the longest run that started in it. */
const KEPT_DAYS = 8;

const DAY_MS = 86_400_000;

/** A longer file was not written by this program, and is not read into memory. */
const LARGEST_FILE_BYTES = 64 * 1024 * 1024;

/** One NDJSON file for each day (UTC). Lines are only appended, each in one write, so several processes need no lock. */
export class UsageLedger {
  readonly folder: string;

  /** @param folder is made where it is missing. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** What is recorded about this key at this target. @throws {GuardError} when a file cannot be read. */
  historyOf(key: string, origin: string): KeyHistory {
    const runs = new Map<string, RecordedRun>();
    let damagedLines = 0;
    for (const text of this.#files().flatMap((name) => this.#linesOf(name))) {
      const line = parsedJson(text);
      if (!ledgerLine.is(line)) damagedLines += 1;
      else if (line.origin === origin && line.key === saltedHash(key, line.salt)) {
        const { run, command, requests, until } = line;
        runs.set(run, { run, command, requests, until });
      }
    }
    return { runs: [...runs.values()], damagedLines };
  }

  /**
   * Records first, and then checks what was recorded before: the order of the lines decides which of two processes finds
   * the other's run. @throws {GuardError} with the obstacle, or when the ledger cannot be written.
   */
  enter(
    { key, ...starting }: StartingRun,
    now: number,
    obstacleIn?: (history: KeyHistory) => string | undefined,
  ): SettleEntry {
    const name = fileOf(now);
    const [run, salt] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')];
    const line = { run, salt, key: saltedHash(key, salt), ...starting };
    this.#append(name, line);
    this.#removeOldFiles(now);
    const settle: SettleEntry = (requests, until) => this.#append(name, { ...line, requests, until });
    if (obstacleIn === undefined) return settle;
    try {
      const { runs, damagedLines } = this.historyOf(key, starting.origin);
      const own = runs.findIndex((one) => one.run === run);
      const obstacle = obstacleIn({ runs: runs.slice(0, own), damagedLines });
      if (obstacle !== undefined) throw new GuardError(obstacle);
    } catch (error) {
      settle(0, now);
      throw error;
    }
    return settle;
  }

  #files(): readonly string[] {
    const names = unlessMissing(() => readdirSync(this.folder), `The usage ledger in ${this.folder}`);
    return (names ?? []).filter((name) => FILE_NAME.test(name)).sort();
  }

  /** None where another process removed an old file in the meantime. */
  #linesOf(name: string): readonly string[] {
    const path = join(this.folder, name);
    const text = unlessMissing(() => textOf(path), path, REPAIR) ?? '';
    return text.split('\n').filter((line) => line.trim() !== '');
  }

  /** Starts with a line end, so that an unfinished line left by a crash spoils no other. */
  #append(name: string, line: LedgerLine): void {
    try {
      makeFolders(this.folder, 0o700);
      appendFileSync(join(this.folder, name), `\n${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      throw new GuardError(
        `The usage ledger in ${this.folder} cannot be written: ${fileTrouble(error)}. Free disk space or correct its permissions.`,
      );
    }
  }

  #removeOldFiles(now: number): void {
    const oldest = fileOf(now - KEPT_DAYS * DAY_MS);
    for (const name of this.#files().filter((one) => one < oldest)) {
      rmSync(join(this.folder, name), { force: true });
    }
  }
}

/** What to do about a file that cannot be read. */
export const REPAIR = ' Correct that or remove the file.';

/** What is read; undefined where it is missing. @throws {GuardError} when it cannot be read. */
export function unlessMissing<T>(read: () => T, what: string, advice = ''): T | undefined {
  try {
    return read();
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    if (error instanceof GuardError) throw error;
    throw new GuardError(`${what} cannot be read: ${fileTrouble(error)}.${advice}`);
  }
}

function textOf(path: string): string {
  if (statSync(path).size <= LARGEST_FILE_BYTES) return readFileSync(path, 'utf8');
  throw new GuardError(`${path} is too large to be a usage ledger: remove it.`);
}

const FILE_NAME = /^used-\d{4}-\d\d-\d\d\.ndjson$/;

const fileOf = (now: number): string => `used-${new Date(now).toISOString().slice(0, 10)}.ndjson`;

export const userLedger = (): UsageLedger => new UsageLedger(userFolder('state', thisUserPlace()));
