import { createHash, randomBytes } from 'node:crypto';
import { parsedJson } from '../basics/json.ts';

/**
 * One line of the ledger about one run of one key. A run writes a line when it starts, with
 * what it may send, and another when it ends, with what it sent. A run that was killed leaves
 * only the first, so the ledger never holds less than was used.
 */
export interface LedgerLine {
  /** The same in both lines of a run. */
  readonly run: string;
  /** Random for each run, so that two runs of one key cannot be linked by reading the file. */
  readonly salt: string;
  /** SHA-256 of the salt and the key, in hex; never the key. */
  readonly key: string;
  /** Origin of the target, as in `https://api.example.com`. */
  readonly origin: string;
  /** What was run, for a person: `load at-limit`, `certify`. */
  readonly command: string;
  readonly requests: number;
  /** When the last request is sent at the latest, milliseconds since the Unix epoch. */
  readonly until: number;
}

/** A new run identifier, and the key as a salted hash. */
export function anonymizedRun(key: string): Pick<LedgerLine, 'run' | 'salt' | 'key'> {
  const salt = randomBytes(16).toString('hex');
  return { run: randomBytes(8).toString('hex'), salt, key: saltedHash(key, salt) };
}

/** Whether a line is about this key. */
export const isLineOfKey = (line: LedgerLine, key: string): boolean =>
  line.key === saltedHash(key, line.salt);

const saltedHash = (key: string, salt: string): string =>
  createHash('sha256').update(salt).update('\0').update(key).digest('hex');

/** Reads a line of the file; undefined where it is damaged. */
export function parseLedgerLine(text: string): LedgerLine | undefined {
  const line = parsedJson(text);
  return isLedgerLine(line) ? line : undefined;
}

/** Milliseconds since the Unix epoch; a Date cannot show much later moments, and years have four digits until then. */
const LATEST_END = Date.UTC(9999, 11, 31);

const TEXT_FIELDS = ['run', 'salt', 'key', 'origin', 'command'] as const;

function isLedgerLine(value: unknown): value is LedgerLine {
  if (typeof value !== 'object' || value === null) return false;
  const line: Partial<Record<keyof LedgerLine, unknown>> = value;
  const { requests, until } = line;
  return (
    TEXT_FIELDS.every((name) => typeof line[name] === 'string') &&
    typeof requests === 'number' &&
    Number.isSafeInteger(requests) &&
    requests >= 0 &&
    typeof until === 'number' &&
    until >= 0 &&
    until <= LATEST_END
  );
}
