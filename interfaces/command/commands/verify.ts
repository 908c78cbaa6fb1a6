import { Command } from 'commander';
import { UserError } from '../../../kernel/basics/errors.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import type { Presented } from '../../certificate/verify.ts';
import { repeated } from '../../options/command-line.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';

interface VerifyOptions {
  readonly key: readonly string[];
}

/** `verify`: checks an attestation. Exit code 0 where it is true and its subject conforms, so that a deployment can hang on it. */
export function verifyCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('verify')
    .argument('<folder>', 'folder of a run with its attestation.json')
    .requiredOption(
      '--key <file>',
      'Ed25519 public key in PEM form that must have signed; repeatable',
      repeated,
    )
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: VerifyOptions) => {
      endWith(await verifyFolder(folder, options, terminal));
    });
}

async function verifyFolder(folder: string, options: VerifyOptions, terminal: Terminal): Promise<ExitCode> {
  const { presented } = await import('../certificate/presented.ts');
  const { verify } = await import('../../certificate/verify.ts');
  const all = await presented(folder, options.key);
  const found = await verify(all).catch(async (error: unknown) => {
    await printClaims(folder, all, terminal);
    throw error;
  });
  if (found.kind !== 'true') await printClaims(folder, all, terminal);
  if (found.kind === 'no verdict' || found.kind === 'changed') throw new UserError(found.sentence);
  if (found.kind === 'false') return contradicted(found.sentences, terminal);
  const { certificateLines } = await import('../certificate/certificate-lines.ts');
  const { uncoveredFiles } = await import('../certificate/files.ts');
  const { shortcomingsOf } = await import('../../certificate/attested-run.ts');
  const { statement, judged } = found;
  const uncovered = uncoveredFiles(folder, statement);
  print(terminal, ...certificateLines({ ...found, run: all.run, uncovered }, await signersOf(all)));
  return shortcomingsOf(judged.certified, judged.report).length === 0 ? EXIT.conforms : EXIT.incomplete;
}

/** What a certificate that is not verified is about comes first, too. */
async function printClaims(folder: string, all: Presented, terminal: Terminal): Promise<void> {
  const { claimedLines } = await import('../certificate/certificate-lines.ts');
  const { claimedRun } = await import('../certificate/certification-run.ts');
  const { statementIn } = await import('../../certificate/envelope.ts');
  const statement = statementIn(all.envelope);
  print(terminal, ...claimedLines(statement, claimedRun(folder, all.run.kind), await signersOf(all)));
}

/** Whose signatures were checked, and that there are others. */
async function signersOf({ envelope, keys }: Presented): Promise<readonly string[]> {
  const { isSignedBy, keyIdOf } = await import('../../certificate/envelope.ts');
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

const EXAMPLES = `
It checks the signatures, the digests and the date, judges the journal (or the samples of a load run) again, and
compares the page of the report, where the folder has it, with what the report states.

Examples:
  petstore-conformance verify out/RUN --key vendor.pub.pem
  petstore-conformance verify out/RUN --key vendor.pub.pem --key examiner.pub.pem
      both must have signed
  petstore-conformance verify out/RUN --key vendor.pub.pem && ./deploy.sh

Exit codes:
  0  true, and the subject conforms
  3  true, but it does not say that the subject conforms: something failed, the run is incomplete or partial, its
     windows were those of a demonstration, its limits not those of the specification, or it tested the bundled server
  1  not true; the sentence says what
  2  not checked: a file, a key or an option cannot be used`;
