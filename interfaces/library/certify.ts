import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { isJsonObject } from '../../kernel/basics/json.ts';
import { makeOutputFolder } from '../../kernel/basics/user-files.ts';
import { gateOf } from '../../kernel/findings/gate.ts';
import type { Gate } from '../../kernel/findings/gate-codes.ts';
import { GATE_CODES } from '../../kernel/findings/gate-codes.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { writeBaseline } from '../../reports/baseline.ts';
import { checkedKeys } from '../../suites/service/inputs/checked-keys.ts';
import { judgeJournal } from '../../suites/service/judge-journal.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import type { Keys } from '../../suites/service/wire/keyring.ts';
import { PARAMETERS } from '../options/command-line.ts';
import { givenOptions } from '../options/given.ts';
import type { LibraryOptions } from '../options/table.ts';
import { targetAccess } from '../options/target.ts';
import { readJudging } from '../run/judging.ts';
import { recordService, settleService } from '../run/service.ts';

/** A certification run of a program. Every option but `target` and `keys` is optional, and has the meaning of the command's. */
export interface CertifyOptions extends LibraryOptions {
  /** The base address of the service, including `/v1`. */
  readonly target: string | URL;
  /** The key under test, and further keys that add evidence. They never reach a journal, a report or an error. */
  readonly keys: Keys;
  /** Called with every line of the journal after it was written. */
  readonly observe?: (line: JournalLine) => void;
  /** Ends the run early; the journal is kept. */
  readonly signal?: AbortSignal;
}

const OWN = ['target', 'keys', 'observe', 'signal'];

export interface Certification {
  readonly record: RunRecord;
  /**
   * The verdict of a pipeline: the outcome, or with a baseline what differs from it. `accepted`: everything that fails is
   * known. `partial`: everything that was selected passed. `no-run`: the key was rejected.
   */
  readonly gate: Gate;
  /** The exit code with which the command ends after the same run. */
  readonly exitCode: number;
  readonly journal: string;
}

/**
 * Tests a service as the command `certify` does, and judges what was recorded. `record.outcome` is the verdict. Reads
 * no environment variable; the options are checked before anything is sent.
 * @throws {UserError} when an option is wrong, the daily quota to be used is not untouched, or the target is not the
 * service, or the plan is unknown or has no limits.
 * @throws {InterruptedError} when the signal aborts.
 * @throws {LostRunError} when the target cannot be reached, or stops responding; the journal is kept.
 * @throws {JournalError} when the journal cannot be written.
 */
export async function certify(given: CertifyOptions): Promise<Certification> {
  const { observe = () => undefined, signal = new AbortController().signal } = given;
  const values = givenOptions(given, 'library', { own: OWN });
  if (!isJsonObject(given.keys)) throw new UserError("keys is not set: give an object such as { key: '…' }.");
  const keys = () => checkedKeys(given.keys, 'keys');
  const target = targetAccess(String(given.target), values, PARAMETERS, keys);
  const settled = settleService(values, target, { names: PARAMETERS });
  const { baselineWrite, ...judging } = readJudging(values);
  const journal = values.journal ?? join(await mkdtemp(join(tmpdir(), 'petstore-')), 'journal.ndjson');
  makeOutputFolder(dirname(journal), 'journal');
  await recordService(settled, journal, {
    report: (problem) => process.emitWarning(problem),
    progress: () => ({ observe, stop: () => undefined }),
    signal,
  });
  const record = await judgeJournal(journal, judging);
  if (baselineWrite !== undefined) writeBaseline(record, baselineWrite);
  const gate = gateOf(record);
  return { record, gate, exitCode: GATE_CODES[gate], journal };
}
