import { createHash, randomBytes } from 'node:crypto';

/**
 * What the ledger holds of one run of one key: a line when it begins, with what
 * it may send, and one when it has ended, with what it sent. A run that was killed keeps the
 * first, so that the ledger never knows of less than was used.
 */
export interface LedgerLine {
  /** The same in both lines of a run. */
  readonly run: string;
  /** Random, and of this run alone: two runs of one key have nothing in common for a reader of the file. */
  readonly salt: string;
  /** SHA-256 of the salt and the key, in hex; never the key. */
  readonly key: string;
  /** Origin of the target, as in `https://api.example.com`. */
  readonly origin: string;
  /** What was run, for people: `load at-limit`, `certify`. */
  readonly by: string;
  readonly requests: number;
  /** When the last of them is sent at the latest, milliseconds since the Unix epoch. */
  readonly until: number;
}

/** Names a run and hides its key. */
export function identify(key: string): Pick<LedgerLine, 'run' | 'salt' | 'key'> {
  const salt = randomBytes(16).toString('hex');
  return { run: randomBytes(8).toString('hex'), salt, key: hashed(key, salt) };
}

/** Whether a line is about this key. */
export const isAbout = (line: LedgerLine, key: string): boolean => line.key === hashed(key, line.salt);

const hashed = (key: string, salt: string): string =>
  createHash('sha256').update(salt).update('\0').update(key).digest('hex');

/** A line of the file; undefined where it is damaged. */
export function parseLine(text: string): LedgerLine | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isLine(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

/** No run lasts beyond the years of four digits, milliseconds since the Unix epoch; later moments have no date to be told. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);

const TEXTS = ['run', 'salt', 'key', 'origin', 'by'] as const;

function isLine(value: unknown): value is LedgerLine {
  if (typeof value !== 'object' || value === null) return false;
  const line: Partial<Record<keyof LedgerLine, unknown>> = value;
  const { requests, until } = line;
  return (
    TEXTS.every((name) => typeof line[name] === 'string') &&
    typeof requests === 'number' &&
    Number.isSafeInteger(requests) &&
    requests >= 0 &&
    typeof until === 'number' &&
    until >= 0 &&
    until <= LAST_MOMENT
  );
}
