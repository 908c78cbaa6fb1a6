import { mkdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HeaderLine } from '../exchanges/exchange.ts';
import type { Plans } from '../spec/plans.ts';
import { loadPlans } from '../spec/plans.ts';
import { loadSpecification } from '../spec/specification.ts';
import type { JournalLine, Keys, RunRecord } from '../suites/index.ts';
import { furtherKeysIn, judge, readJournal, recordToFile, settleRun } from '../suites/index.ts';
import { readBaseUrl } from '../suites/inputs/base-url.ts';
import { distinctKeys } from '../suites/inputs/checked-keys.ts';
import { LIBRARY } from '../suites/inputs/input-names.ts';
import { readNamePattern } from '../suites/inputs/name-pattern.ts';
import type { Product } from '../words/product.ts';
import { readProduct } from '../words/product.ts';

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
  /** A pattern for the names of created categories, such as `Category {id}`. */
  readonly namePattern?: string;
  /** Header lines that a gateway in front of the service requires. */
  readonly headers?: readonly HeaderLine[];
  /** PEM text of a certificate authority to trust. */
  readonly certificateAuthority?: string;
  /** What is stated about the product under test; it stands on the first page of the report. */
  readonly product?: Product;
  /** Count every warning as a violation. */
  readonly strict?: boolean;
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
  /** The path of the journal. */
  readonly journal: string;
}

/**
 * Tests a service as the command `certify` does, and judges what was recorded. `record.outcome` is the verdict.
 * @throws {UserError} when an option is wrong, or the target is not the service.
 * @throws {InterruptedError} when the signal aborts.
 * @throws {LostRunError} when the target cannot be reached, or stops responding; the journal is kept.
 * @throws {JournalError} when the journal cannot be written.
 */
export async function certify(options: CertifyOptions): Promise<Certification> {
  const { target, keys, plan = 'free', plans = loadPlans(), namePattern } = options;
  const access = {
    baseUrl: readBaseUrl(String(target), LIBRARY.target),
    keys: distinctKeys(keys),
    certificateAuthority: options.certificateAuthority,
    headers: options.headers ?? [],
    proxied: false,
  };
  const run = settleRun({
    plans,
    plan,
    furtherKeys: furtherKeysIn(keys),
    exclusiveKey: options.exclusiveKey === true,
    thorough: options.thorough === true,
    namePattern: namePattern === undefined ? undefined : readNamePattern(namePattern, LIBRARY.namePattern),
    product: readProduct(options.product ?? {}, LIBRARY.product),
  });
  const journal = options.journal ?? join(await mkdtemp(join(tmpdir(), 'petstore-')), 'journal.ndjson');
  mkdirSync(dirname(journal), { recursive: true });
  const specification = await loadSpecification();
  const { observe, signal = new AbortController().signal } = options;
  await recordToFile(
    { ...run, target: access, specification },
    { path: journal, names: LIBRARY, signal, ...(observe === undefined ? {} : { observe }) },
  );
  const record = judge(readJournal(journal), specification, { strict: options.strict === true });
  return { record, journal };
}
