import { join } from 'node:path';
import { InterruptedError, UserError } from '../../../kernel/basics/errors.ts';
import type { Baseline } from '../../../kernel/findings/gate.ts';
import { withBaseline } from '../../../kernel/findings/gate.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { judgeParts } from '../../../load/run/judge-folder.ts';
import { writeReports, writeRunFolder } from '../../../reports/write.ts';
import { ownSpecification } from '../../../spec/specification.ts';
import { tlsAdvice } from '../../../suites/service/inputs/tls-advice.ts';
import type { PresentedRun } from '../certify/conclude.ts';
import { present } from '../certify/conclude.ts';
import type { ExitCode } from '../exit-code.ts';
import { folderAt } from '../folder.ts';
import type { Terminal } from '../terminal.ts';

/** A judged load run, to be reported. */
export interface JudgedLoad {
  readonly record: LoadRecord;
  readonly trace: Trace;
  /** Folder for the reports; exists. */
  readonly folder: string;
  /** Whether the user named a certificate authority with `--ca`. */
  readonly hasOwnAuthority: boolean;
}

/** How k6 marks an error of TLS. */
const OF_TLS = /\b(?:tls|x509): /;

/**
 * Writes the reports of a load run and prints its verdict.
 * @returns the exit code of the verdict.
 * @throws {InterruptedError} when the user interrupted the run; the measurements are kept.
 * @throws {UserError} when no load was measured: k6 failed, or no response came from the service.
 */
export async function concludeLoad(
  { record, trace, folder, hasOwnAuthority }: JudgedLoad,
  terminal: Terminal,
): Promise<ExitCode> {
  const { ended } = record;
  await writeReports(record, folder, trace);
  const code = present(record, { folder, format: 'console' }, terminal, process.env);
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
 * Judges the samples of a load run again, and reports them, however the run ended.
 * @param paths folders and files of the run.
 * @throws {RunFolderError} when they are not those of a load run, or cannot be read.
 */
export async function judgeLoadAgain(
  paths: readonly string[],
  run: PresentedRun & { readonly baseline: Baseline | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const { record: judged, trace } = await judgeParts(paths, { suite: SUITE, spec: await ownSpecification() });
  const record = run.baseline === undefined ? judged : withBaseline(judged, run.baseline);
  await writeRunFolder(record, { trace }, folderAt(run.folder, terminal));
  return present(record, run, terminal, process.env);
}

/** Whether the run stopped without any response of the service to a valid key. */
const stoppedAtOnce = ({ ended }: LoadRecord, { samples }: Trace): boolean =>
  ended.how === 'stopped' &&
  samples.every(({ outcome }) => outcome.kind === 'no-response' || ![200, 201, 429].includes(outcome.status));
