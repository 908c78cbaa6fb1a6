import { join } from 'node:path';
import type { LoadRecord, LoadVerdict } from '../../load/model/record.ts';
import type { Trace } from '../../load/model/sample.ts';
import { renderLoadVerdict, writeLoadReports } from '../../reports/index.ts';
import { unknownAuthorityAdvice } from '../../suites/inputs/certificate-authority.ts';
import { InterruptedError } from '../../words/interrupted-error.ts';
import { UserError } from '../../words/user-error.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';

/** A load run that has been judged. */
export interface LoadCase {
  readonly record: LoadRecord;
  readonly trace: Trace;
  readonly folder: string;
  /** Whether an authority was named that is to be trusted. */
  readonly ownAuthority: boolean;
}

/** How k6 names a certificate that nobody whom it trusts has signed. */
const UNKNOWN_AUTHORITY = /x509: unknown authority/;

const CODES = {
  pass: EXIT.conforms,
  fail: EXIT.violates,
  inconclusive: EXIT.incomplete,
} as const satisfies Record<LoadVerdict, ExitCode>;

/**
 * Writes the reports of a load run and says its verdict.
 * @throws {InterruptedError} when the user ended it; what was measured is kept.
 * @throws {UserError} when no run could be made: k6 failed, or nothing that was asked is the service.
 */
export async function concludeLoad(
  { record, trace, folder, ownAuthority }: LoadCase,
  terminal: Terminal,
): Promise<ExitCode> {
  const { ended, verdict } = record;
  await writeLoadReports(record, trace, folder);
  print(
    terminal,
    renderLoadVerdict(record, terminal).trimEnd(),
    '',
    `Report:  ${join(folder, 'load-report.html')} (also load-report.json, junit.xml, summary.md)`,
  );
  const kept = `What was measured is kept in ${join(folder, '/')}.`;
  if (ended.how === 'interrupted') throw new InterruptedError(`Interrupted: ${ended.because} ${kept}`);
  if (ended.how === 'failed' || neverBegan(record, trace)) {
    const advice = UNKNOWN_AUTHORITY.test(ended.because)
      ? ` ${unknownAuthorityAdvice(ownAuthority, '--ca')}`
      : '';
    throw new UserError(`The load run could not be made: ${ended.because}${advice} ${kept}`);
  }
  return CODES[verdict];
}

/** Whether nothing came back that the service says to a key of its own. */
const neverBegan = ({ ended }: LoadRecord, { samples }: Trace): boolean =>
  ended.how === 'stopped' &&
  samples.every(({ outcome }) => outcome.kind === 'no-response' || ![200, 201, 429].includes(outcome.status));
