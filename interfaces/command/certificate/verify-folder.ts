import { UserError } from '../../../kernel/basics/errors.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import { shortcomingsOf } from '../../certificate/attested-run.ts';
import { isSignedBy, keyIdOf, statementIn } from '../../certificate/envelope.ts';
import type { Presented } from '../../certificate/verify.ts';
import { verify } from '../../certificate/verify.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { certificateLines, claimedLines } from './certificate-lines.ts';
import { claimedRun } from './certification-run.ts';
import { uncoveredFiles } from './files.ts';
import { presented } from './presented.ts';

/** Checks an attestation. Ends with 0 where it is true and its subject conforms, so that a deployment can hang on it. */
export async function verifyFolder(
  folder: string,
  keyFiles: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const all = await presented(folder, keyFiles);
  const found = await verify(all).catch((error: unknown) => {
    printClaims(folder, all, terminal);
    throw error;
  });
  if (found.kind !== 'true') printClaims(folder, all, terminal);
  if (found.kind === 'no verdict' || found.kind === 'changed') throw new UserError(found.sentence);
  if (found.kind === 'false') return contradicted(found.sentences, terminal);
  const { statement, judged } = found;
  const uncovered = uncoveredFiles(folder, statement);
  print(terminal, ...certificateLines({ ...found, run: all.run, uncovered }, signersOf(all)));
  return shortcomingsOf(judged.certified, judged.report).length === 0 ? EXIT.conforms : EXIT.incomplete;
}

/** What a certificate that is not verified is about comes first, too. */
function printClaims(folder: string, all: Presented, terminal: Terminal): void {
  const statement = statementIn(all.envelope);
  print(terminal, ...claimedLines(statement, claimedRun(folder, all.run.kind), signersOf(all)));
}

/** Whose signatures were checked, and that there are others. */
function signersOf({ envelope, keys }: Presented): readonly string[] {
  const found = keys.map((one) => ({ ...one, valid: isSignedBy(envelope, one.key) }));
  const others = envelope.signatures.length - found.filter(({ valid }) => valid).length;
  return [
    ...found.map(
      ({ name, key, valid }) =>
        `${name} (key ${keyIdOf(key).slice(0, 16)}…)${valid ? '' : ': no valid signature'}`,
    ),
    ...(others > 0 ? [`${countOf(others, 'further signature')}, not checked`] : []),
  ];
}

function contradicted(sentences: readonly string[], terminal: Terminal): ExitCode {
  print(terminal, '✗ The certificate is not true.', ...sentences.map((sentence) => `  ${sentence}`));
  return EXIT.violates;
}
