import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Product } from '../../kernel/basics/product.ts';
import { readProduct } from '../../kernel/basics/product.ts';
import { makeOutputFolder } from '../../kernel/basics/user-folders.ts';
import type { HeaderLine } from '../../kernel/exchanges/exchange.ts';
import { gatewayHeaderLines } from '../../kernel/exchanges/gateway-headers.ts';
import { gateOf } from '../../kernel/findings/gate.ts';
import type { Gate } from '../../kernel/findings/gate-codes.ts';
import { GATE_CODES } from '../../kernel/findings/gate-codes.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { readBaseline } from '../../reports/baseline/file.ts';
import type { Plans } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';
import { readBaseUrl } from '../../suites/service/inputs/base-url.ts';
import { checkedKeys } from '../../suites/service/inputs/checked-keys.ts';
import { readClientCertificate } from '../../suites/service/inputs/client-certificate.ts';
import { LIBRARY } from '../../suites/service/inputs/input-names.ts';
import type { TargetAccess } from '../../suites/service/inputs/target-access.ts';
import { judgeJournal } from '../../suites/service/judge-journal.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import { recordToFile } from '../../suites/service/run/record-to-file.ts';
import type { SettledRun } from '../../suites/service/run/run-settings.ts';
import { settleRun } from '../../suites/service/run/run-settings.ts';
import type { Keys } from '../../suites/service/wire/keyring.ts';
import { furtherKeysIn } from '../../suites/service/wire/keyring.ts';
import { checkOptionTypes } from './option-types.ts';

/** A certification run of a program. Every field but `target` and `keys` is optional. */
export interface CertifyOptions {
  /** The base address of the service, including `/v1`. */
  readonly target: string | URL;
  /** The key under test, and further keys that add evidence. They never reach a journal, a report or an error. */
  readonly keys: Keys;
  /** The plan of the key; `free` by default. */
  readonly plan?: string;
  /** Quotas and lengths of windows; those of the specification by default. */
  readonly plans?: Plans;
  /** Test three windows in place of one. */
  readonly thorough?: boolean;
  /** State that no other client uses the key during the run. */
  readonly exclusiveKey?: boolean;
  /** Use the whole daily quota of the key, which must not have been used for a day (LIMIT-9). The usage ledger says whether it was. */
  readonly spendDay?: boolean;
  /** Test these requirements alone: ids, chapters and levels. The outcome of such a run is `partial`, never `conforms`. */
  readonly only?: string | readonly string[];
  /** Leave these requirements out. */
  readonly skip?: string | readonly string[];
  /** Test what needs no 429, with few requests. */
  readonly quick?: boolean;
  /** Address or file of the target's OpenAPI document (VER-2). */
  readonly openapi?: string;
  /** A pattern for the names of created categories, such as `Category {id}`. */
  readonly namePattern?: string;
  /** Header lines that a gateway in front of the service requires. */
  readonly headers?: readonly HeaderLine[];
  /** PEM text of a certificate authority to trust. */
  readonly certificateAuthority?: string;
  /** PEM file of a client certificate. */
  readonly cert?: string;
  /** PEM file of the private key of `cert`. */
  readonly certKey?: string;
  /** What is stated about the product under test; it stands on the first page of the report. */
  readonly product?: Product;
  /** Count every warning as a violation. */
  readonly strict?: boolean;
  /** File of known violations, each with reason, owner and expiry; `gate` says what differs from it. */
  readonly baseline?: string;
  /** Where the journal is written; a new file in the system's folder for temporary files by default. */
  readonly journal?: string;
  /** Called with every line of the journal after it was written. */
  readonly observe?: (line: JournalLine) => void;
  /** Ends the run early; the journal is kept. */
  readonly signal?: AbortSignal;
}

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
 * @throws {UserError} when an option is wrong, the daily quota to be used is not untouched, or the target is not the service.
 * @throws {PlanFileError} when the plan is unknown or has no limits.
 * @throws {InterruptedError} when the signal aborts.
 * @throws {LostRunError} when the target cannot be reached, or stops responding; the journal is kept.
 * @throws {JournalError} when the journal cannot be written.
 */
export async function certify(options: CertifyOptions): Promise<Certification> {
  const { strict = false, observe, signal = new AbortController().signal } = options;
  const { target, run } = settled(options);
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline);
  const path = options.journal ?? join(await mkdtemp(join(tmpdir(), 'petstore-')), 'journal.ndjson');
  makeOutputFolder(dirname(path), 'journal');
  await recordToFile(run, target, {
    path,
    ledger: { enters: 'every run', report: (problem) => process.emitWarning(problem) },
    names: LIBRARY,
    observe,
    signal,
  });
  const record = await judgeJournal(path, { strict, baseline });
  const gate = gateOf(record);
  return { record, gate, exitCode: GATE_CODES[gate], journal: path };
}

/** Checks the options with the functions that the command uses. Reads the files that they name, and no environment. */
function settled(options: CertifyOptions): { readonly target: TargetAccess; readonly run: SettledRun } {
  checkOptionTypes(options);
  const keys = checkedKeys(options.keys, 'keys');
  const headers = (options.headers ?? []).map(([name, value]) => `${name}: ${value}`);
  const target = {
    baseUrl: readBaseUrl(String(options.target), LIBRARY.target),
    keys,
    certificateAuthority: options.certificateAuthority,
    clientCertificate: readClientCertificate(options, LIBRARY),
    headers: gatewayHeaderLines(headers, LIBRARY.headers),
    proxied: false,
  };
  const run = settleRun(options, {
    plans: options.plans ?? loadPlans(),
    furtherKeys: furtherKeysIn(keys),
    names: LIBRARY,
    product: readProduct(options.product ?? {}, LIBRARY.product),
  });
  return { target, run };
}
