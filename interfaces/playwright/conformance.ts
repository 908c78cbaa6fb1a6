import { runInThisContext } from 'node:vm';
import type { TestInfo } from '@playwright/test';
import { test as base } from '@playwright/test';
import { InterruptedError, UserError } from '../../kernel/basics/errors.ts';
import type { EvidenceExcerpt, Finding, Observation, RunRecord } from '../../kernel/findings/record.ts';
import { visibleLine } from '../../reports/written.ts';
import type { RequirementId } from '../../spec/register.ts';
import type { PetstoreOptions } from '../options/table.ts';
import { inOwnNames, TAG, testedEntries, titleOf } from './settings.ts';
import type { SharedRun } from './shared-run.ts';
import { sharedRun } from './shared-run.ts';
import {
  errorWithoutStack,
  failureOf,
  judgedRun,
  presentRun,
  print,
  testResultOf,
  writeRun,
} from './verdicts.ts';

/**
 * Hands calls on so that Playwright reports them at the line that called `callee`. It names the file of the direct caller
 * of `test`, which would be a file in node_modules for every test of this package, and takes no location as an argument.
 */
function callsFrom(callee: (...args: never[]) => unknown): <F extends object>(declare: F) => F {
  const usual = Error.prepareStackTrace;
  const holder: { stack?: unknown } = {};
  Error.prepareStackTrace = (_, [site]) => site;
  Error.captureStackTrace(holder, callee);
  const site = holder.stack as NodeJS.CallSite | undefined;
  Error.prepareStackTrace = usual;
  const place = {
    filename: site?.getFileName() ?? '',
    lineOffset: (site?.getLineNumber() ?? 1) - 1,
    columnOffset: (site?.getColumnNumber() ?? 1) - 1,
  };
  return runInThisContext('(declare) => (...args) => declare(...args)', place);
}

/** A cited exchange as the text of an attachment: the request after `>`, the response after `<`. */
export function exchangeText(exchange: EvidenceExcerpt): string {
  const request = [exchange.request, ...exchange.requestHeaders, ...bodyLines(exchange.requestBody)];
  const response = [exchange.answer, ...exchange.answerHeaders, ...bodyLines(exchange.answerBody)];
  const lines = [
    `Exchange ${exchange.n}: ${exchange.request} → ${exchange.answer} after ${exchange.milliseconds} ms (${exchange.probe}: ${exchange.step}; ${exchange.at} ms into the run)`,
    ...request.map((line) => `> ${line}`),
    ...response.map((line) => `< ${line}`),
  ];
  return lines.map(visibleLine).join('\n');
}

const bodyLines = (body: string | null): readonly string[] =>
  body === null || body === '' ? [] : ['', ...body.split('\n')];

/** What this package adds to `use` in a Playwright configuration: `defineConfig<PetstoreUse>({ … })`. */
export interface PetstoreUse {
  petstore: PetstoreOptions;
}

/** Playwright's `test` with the option `petstore`, which a project sets with `use`. */
const test = base.extend<object, PetstoreUse>({ petstore: [{}, { option: true, scope: 'worker' }] });

/**
 * Declares one test for each requirement and each observation in the file that calls it. They report one recorded run,
 * which the first of them makes.
 * @param defaults options that `use: { petstore: … }` of a project replaces one by one.
 */
export function conformance(defaults: PetstoreOptions = {}): void {
  const at = callsFrom(conformance);
  const [declare, describe] = [at(test), at(test.describe)];
  describe('Pet Store Service', { tag: TAG }, () => {
    // One run, in order: a retry would judge the same journal again, and a second run would use the quota of the key.
    test.describe.configure({ mode: 'default', retries: 0 });
    const recordOf = declareRun(defaults);
    declare('the run', { tag: '@run' }, () => {
      // What there is to see of the run was attached when it was recorded: to this test, or to the first that is selected.
    });
    for (const chapter of new Set(testedEntries.map((entry) => entry.chapter))) {
      describe(chapter, { tag: `@${slug(chapter)}` }, () => declareChapter(chapter, recordOf, declare));
    }
  });
}

/** Records or reads the run before the first test of a worker. @returns the record of that run. */
function declareRun(defaults: PetstoreOptions): () => RunRecord {
  const interruption = new AbortController();
  let running: Promise<SharedRun> | undefined;
  let record: RunRecord | undefined;
  test.beforeAll(async ({ petstore }) => {
    // The plan of the run bounds every wait, so no timeout of Playwright is needed.
    test.setTimeout(0);
    try {
      running = sharedRun({ ...defaults, ...petstore }, interruption.signal);
      const run = await running;
      record = await judgedRun(run);
      if (run.first) await writeRun(record, run);
      await presentRun(record, run.first);
    } catch (error) {
      throw forUser(error);
    }
  });
  // Ctrl-C ends the hook at once, while its function goes on; the journal needs its last line.
  test.afterAll(async () => {
    interruption.abort();
    await running?.catch((error: unknown) => {
      if (error instanceof InterruptedError) print(error.message);
    });
  });
  return () => {
    if (record === undefined) throw errorWithoutStack('There is no record of the run.');
    return record;
  };
}

function declareChapter(chapter: string, recordOf: () => RunRecord, declare: typeof test): void {
  for (const entry of testedEntries.filter((one) => one.chapter === chapter)) {
    const { id, level, from } = entry;
    const description = `interface-specification.md#${from.section}: “${from.quote}”`;
    const details = { tag: `@${level}`, annotation: { type: 'specification', description } };
    declare(titleOf(entry), details, () => reportEntry(id, recordOf(), test.info()));
  }
}

/** An error whose message is a sentence for the user is reported without a stack trace, and as no verdict. */
function forUser(error: unknown): unknown {
  if (!(error instanceof UserError || error instanceof InterruptedError)) return error;
  const description = inOwnNames(error.message);
  test.info().annotations.push({ type: 'no run', description });
  return errorWithoutStack(description);
}

/** `Retry-After and ban` as a tag: `retry-after-and-ban`. */
const slug = (chapter: string): string =>
  chapter
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/**
 * Reports the verdict on a requirement, or an observation, as the result of its test.
 * @throws {Error} without a stack where the test fails.
 */
async function reportEntry(id: RequirementId, record: RunRecord, info: TestInfo): Promise<void> {
  const finding = record.requirements.find((one) => one.id === id);
  if (finding !== undefined) return reportFinding(withOwnNames(finding), record, info);
  const observation = record.observations.find((one) => one.id === id);
  if (observation !== undefined) return reportObservation(observation, record, info);
  throw new Error(`There is no verdict on ${id}.`);
}

/** A finding whose reason names the options of Playwright; what a target sent stays as it is. */
const withOwnNames = (finding: Finding): Finding =>
  finding.verdict === 'inconclusive' || finding.verdict === 'not-tested'
    ? { ...finding, reason: inOwnNames(finding.reason), because: inOwnNames(finding.because) }
    : finding;

async function reportFinding(finding: Finding, record: RunRecord, info: TestInfo): Promise<void> {
  const { verdict, because, exchanges } = finding;
  const result = testResultOf(finding);
  info.skip(result === 'skip', because);
  info.annotations.push({ type: verdict, description: because });
  await attach(exchanges, record, info);
  if (verdict !== 'pass') {
    const body = JSON.stringify(finding, null, 2);
    await info.attach('finding', { body, contentType: 'application/json' });
  }
  compareWithBaseline(finding, record, info);
  if (result === 'fail') throw failureOf(finding, record.causes);
}

/**
 * A known violation is a failure that Playwright expects. An expired entry changes nothing but the text.
 * @throws {Error} where the baseline has an entry that is no longer needed.
 */
function compareWithBaseline(finding: Finding, { baseline }: RunRecord, info: TestInfo): void {
  const { id } = finding;
  if (finding.verdict === 'fail' && finding.known !== undefined) {
    const { reason, owner, expires } = finding.known;
    info.fail(true, `Known violation: ${reason} (${owner}, until ${expires})`);
  }
  const expired = baseline?.expired.find((entry) => entry.id === id);
  if (expired !== undefined) {
    const description = `The entry of the baseline expired on ${expired.expires} (${expired.owner}).`;
    info.annotations.push({ type: 'expired', description });
  }
  if (baseline?.stale.includes(id) === true) {
    throw errorWithoutStack(
      `The baseline has an entry for ${id}, and the requirement no longer fails. Remove the entry.`,
    );
  }
}

/** An observation never fails, because the specification leaves it open. */
async function reportObservation(
  { value, warning, exchanges }: Observation,
  record: RunRecord,
  info: TestInfo,
): Promise<void> {
  info.annotations.push({ type: 'observed', description: inOwnNames(value) });
  if (warning !== undefined) info.annotations.push({ type: 'warn', description: warning });
  await attach(exchanges, record, info);
}

async function attach(exchanges: readonly number[], { evidence }: RunRecord, info: TestInfo): Promise<void> {
  for (const exchange of evidence.filter(({ n }) => exchanges.includes(n))) {
    const body = exchangeText(exchange);
    await info.attach(`exchange ${exchange.n}`, { body, contentType: 'text/plain' });
  }
}
