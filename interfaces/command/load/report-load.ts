import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InterruptedError } from '../../../kernel/basics/interrupted-error.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import type { LoadRecord, LoadVerdict } from '../../../load/model/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { K6_FILES } from '../../../load/run/k6-command.ts';
import { byVerdict } from '../../../reports/load/texts.ts';
import { renderLoadVerdict } from '../../../reports/load/verdict.ts';
import { LOAD_REPORTS, writeLoadReports } from '../../../reports/load/write.ts';
import { pageCommand } from '../../../reports/page-command.ts';
import { tlsAdvice } from '../../../suites/service/inputs/tls-advice.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';

/** A judged load run, to be reported. */
export interface JudgedLoad {
  readonly record: LoadRecord;
  readonly trace: Trace;
  /** Folder for the reports; exists. */
  readonly folder: string;
  /** Whether the user named a certificate authority with `--ca`. */
  readonly hasOwnAuthority: boolean;
}

/** The report for people. */
const LOAD_PAGE = 'load-report.html';

/** How k6 marks an error of TLS. */
const OF_TLS = /\b(?:tls|x509): /;

const EXIT_CODES = {
  pass: EXIT.conforms,
  fail: EXIT.violates,
  inconclusive: EXIT.incomplete,
} as const satisfies Record<LoadVerdict, ExitCode>;

/**
 * Writes the reports of a load run and prints its verdict.
 * @returns the exit code of the verdict.
 * @throws {InterruptedError} when the user interrupted the run; the measurements are kept.
 * @throws {UserError} when no load was measured: k6 failed, or no response came from the service.
 */
export async function reportLoad(
  { record, trace, folder, hasOwnAuthority }: JudgedLoad,
  terminal: Terminal,
): Promise<ExitCode> {
  const { ended } = record;
  const code = await writeAndPrint({ record, trace, folder }, terminal);
  const where = `The measurements are in ${join(folder, '/')}.`;
  if (ended.how === 'interrupted') throw new InterruptedError(`Interrupted: ${ended.because} ${where}`);
  if (ended.how === 'failed' || stoppedAtOnce(record, trace)) {
    const advice = OF_TLS.test(ended.because)
      ? tlsAdvice(ended.because, { given: hasOwnAuthority, input: '--ca' })
      : undefined;
    throw new UserError(
      `The load run failed: ${[ended.because, advice, where].filter((one) => one !== undefined).join(' ')}`,
    );
  }
  return code;
}

/**
 * Writes the reports of a load run and prints its verdict, however the run ended.
 * @returns the exit code of the verdict.
 */
export async function writeAndPrint(
  { record, trace, folder }: Omit<JudgedLoad, 'hasOwnAuthority'>,
  terminal: Terminal,
): Promise<ExitCode> {
  await writeLoadReports(record, trace, folder);
  print(
    terminal,
    renderLoadVerdict(record, terminal).trimEnd(),
    '',
    `Report:  ${join(folder, LOAD_PAGE)} (also ${LOAD_REPORTS.filter((name) => name !== LOAD_PAGE).join(', ')})`,
    ...dashboardLine(folder),
    ...explainLine(record),
  );
  return EXIT_CODES[record.verdict];
}

/** Where a reader finds more on an expectation that did not pass, by the example of the first one. */
function explainLine({ findings }: LoadRecord): readonly string[] {
  const [first] = byVerdict(findings.filter((one) => one.verdict !== 'pass'));
  return first === undefined ? [] : [`Explain: ${pageCommand(first.id)} (how it is judged)`];
}

/** k6's own dashboard, which k6 writes only where the run was long enough for it. */
function dashboardLine(folder: string): readonly string[] {
  const file = join(folder, K6_FILES.dashboard);
  return existsSync(file) ? [`k6:      ${file} (k6's own dashboard)`] : [];
}

/** Whether the run stopped without any response of the service to a valid key. */
const stoppedAtOnce = ({ ended }: LoadRecord, { samples }: Trace): boolean =>
  ended.how === 'stopped' &&
  samples.every(({ outcome }) => outcome.kind === 'no-response' || ![200, 201, 429].includes(outcome.status));
