import { createHash, randomBytes } from 'node:crypto';
import { parsedJson } from '../basics/json.ts';
import type { Static } from '../basics/shape.ts';
import { object } from '../basics/shape.ts';
import { count, numberFrom, text } from '../basics/simple-shapes.ts';

/** Milliseconds since the Unix epoch; a Date cannot show much later moments, and years have four digits until then. */
const LATEST_END = Date.UTC(9999, 11, 31);

/**
 * One line of the ledger about one run of one key. A run writes a line when it starts, with
 * what it may send, and another when it ends, with what it sent. A run that was killed leaves
 * only the first, so the ledger never holds less than was used.
 */
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
export type LedgerLine = Static<typeof ledgerLine>;

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
export function parseLedgerLine(line: string): LedgerLine | undefined {
  const value = parsedJson(line);
  return ledgerLine.is(value) ? value : undefined;
}
