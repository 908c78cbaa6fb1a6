import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { isJsonObject } from '../../kernel/basics/json.ts';
import { readProduct } from '../../kernel/basics/product.ts';
import { makeOutputFolder } from '../../kernel/basics/user-files.ts';
import { gatewayHeaderLines } from '../../kernel/exchanges/judged-headers.ts';
import type { Gate } from '../../kernel/findings/gate.ts';
import { GATE_CODES, gateOf } from '../../kernel/findings/gate.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { readBaseline, writeBaseline } from '../../reports/baseline.ts';
import { loadPlans } from '../../spec/plans.ts';
import { readBaseUrl } from '../../suites/service/inputs/base-url.ts';
import { checkedKeys } from '../../suites/service/inputs/checked-keys.ts';
import { readCertificateAuthority } from '../../suites/service/inputs/tls-advice.ts';
import { judgeJournal } from '../../suites/service/judge-journal.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import { recordToFile } from '../../suites/service/run/record-to-file.ts';
import { settleRun } from '../../suites/service/run/run-settings.ts';
import type { Keys } from '../../suites/service/wire/keyring.ts';
import { furtherKeysIn } from '../../suites/service/wire/keyring.ts';
import { PARAMETERS } from '../options/command-line.ts';
import { givenOptions } from '../options/given.ts';
import type { LibraryOptions } from '../options/table.ts';
import { readClientCertificate } from '../options/target/read-target.ts';

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

/** The options that are not in the table. */
const OWN = ['target', 'keys', 'observe', 'signal'];

/** What a certification run found, and the journal that it rests on. */
export interface Certification {
  readonly record: RunRecord;
  /**
   * The verdict of a pipeline: the outcome, or with a baseline what differs from it. `accepted`: everything that fails is
   * known. `partial`: everything that was selected passed. `no-run`: the key was rejected.
   */
  readonly gate: Gate;
  /** The exit code with which the command ends after the same run. */
  readonly exitCode: number;
  /** The path of the journal. */
  readonly journal: string;
}

/**
 * Tests a service as the command `certify` does, and judges what was recorded. `record.outcome` is the verdict. Reads
 * no environment variable; the options are checked before anything is sent.
 * @throws {UserError} when an option is wrong, the daily quota to be used is not untouched, or the target is not the
 * service.
 * @throws {PlanFileError} when the plan is unknown or has no limits.
 * @throws {InterruptedError} when the signal aborts.
 * @throws {LostRunError} when the target cannot be reached, or stops responding; the journal is kept.
 * @throws {JournalError} when the journal cannot be written.
 */
export async function certify(given: CertifyOptions): Promise<Certification> {
  const { observe, signal = new AbortController().signal } = given;
  const { values, target, run } = settled(given);
  const { strict = false, journal, baselineWrite } = values;
  const baseline = values.baseline === undefined ? undefined : readBaseline(values.baseline);
  const path = journal ?? join(await mkdtemp(join(tmpdir(), 'petstore-')), 'journal.ndjson');
  makeOutputFolder(dirname(path), 'journal');
  await recordToFile(run, target, {
    path,
    ledger: { enters: 'every run', report: (problem) => process.emitWarning(problem) },
    names: PARAMETERS,
    observe,
    signal,
  });
  const record = await judgeJournal(path, { strict, baseline });
  if (baselineWrite !== undefined) writeBaseline(record, baselineWrite);
  const gate = gateOf(record);
  return { record, gate, exitCode: GATE_CODES[gate], journal: path };
}

/** Checks the options with the functions that the command uses. Reads the files that they name, and no environment. */
function settled(given: CertifyOptions) {
  const values = givenOptions(given, 'library', { own: OWN });
  if (!isJsonObject(given.keys)) throw new UserError("keys is not set: give an object such as { key: '…' }.");
  const keys = checkedKeys(given.keys, 'keys');
  const target = {
    baseUrl: readBaseUrl(String(given.target), PARAMETERS.target),
    keys,
    certificateAuthority: values.ca === undefined ? undefined : readCertificateAuthority(values.ca),
    clientCertificate: readClientCertificate(values, PARAMETERS),
    headers: gatewayHeaderLines(values.headers ?? [], PARAMETERS.headers),
    proxied: false,
  };
  const run = settleRun(values, {
    plans: typeof values.plans === 'object' ? values.plans : loadPlans(values.plans),
    furtherKeys: furtherKeysIn(keys),
    names: PARAMETERS,
    product: readProduct(values.product),
  });
  return { values, target, run };
}
