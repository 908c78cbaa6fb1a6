import { join } from 'node:path';
import { Command } from 'commander';
import type { RunKind } from '../../attestation/attested-run.ts';
import { UserError } from '../../words/user-error.ts';
import type { Confirmations } from '../attestation/confirmed.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { caOption, keyEnvOption, repeatable } from './options.ts';

interface VerifyOptions {
  readonly key: readonly string[];
  readonly challenge?: string;
  readonly target?: string;
  readonly apiKeyEnv?: string;
  readonly ca?: string;
}

/** `verify`: checks an attestation. Exit code 0 where it is true, 1 where it is false, 2 without a verdict. */
export function verifyCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('verify')
    .argument('<folder>', 'folder of a run with its attestation.json')
    .requiredOption(
      '--key <file>',
      'Ed25519 public key in PEM form that must have signed; repeatable',
      repeatable,
    )
    .option('--challenge <text>', 'the text that the examiner gave to certify --challenge')
    .option(
      '--target <url>',
      'ask this service for its categories, with the key in PETSTORE_API_KEY, and look for those that the run created',
    )
    .addOption(keyEnvOption)
    .addOption(caOption)
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: VerifyOptions) => {
      endWith(await verifyFolder(folder, options, terminal));
    });
}

async function verifyFolder(folder: string, options: VerifyOptions, terminal: Terminal): Promise<ExitCode> {
  const { presented } = await import('../attestation/presented.ts');
  const { verify } = await import('../../attestation/verify.ts');
  const all = await presented(folder, options.key);
  const { kind } = all.run;
  rejectWithoutCreations(kind, options);
  const found = await verify(all);
  if (found.kind === 'no verdict') throw new UserError(found.sentence);
  if (found.kind === 'false') return contradicted(found.sentences, terminal);
  const confirmations = kind === 'certify' ? await confirmCreations(folder, options) : NOT_CONFIRMED;
  if (confirmations.problems.length > 0) return contradicted(confirmations.problems, terminal);
  const { confirmed } = await import('../attestation/confirmed.ts');
  print(terminal, ...confirmed(found.statement, all.run, confirmations));
  return EXIT.conforms;
}

/** @throws {UserError} where a challenge or a target is given for a run that carries and creates nothing. */
function rejectWithoutCreations(kind: RunKind, { challenge, target }: VerifyOptions): void {
  if (kind === 'certify' || (challenge === undefined && target === undefined)) return;
  throw new UserError(
    `${challenge === undefined ? '--target' : '--challenge'} checks what a run of certify created, and the folder holds a run of ${kind}: leave it out.`,
  );
}

interface Creations extends Confirmations {
  /** Why the challenge does not hold, in sentences. */
  readonly problems: readonly string[];
}

const NOT_CONFIRMED: Creations = { problems: [], challenge: undefined, listed: undefined };

/** Checks what the run created, as far as the options ask for it. */
async function confirmCreations(folder: string, options: VerifyOptions): Promise<Creations> {
  const { challengeProblems } = await import('../../attestation/challenge.ts');
  const { readJournal } = await import('../../suites/index.ts');
  const { challenge, target } = options;
  const { lines } = readJournal(join(folder, 'journal.ndjson'));
  const problems = challenge === undefined ? [] : challengeProblems(lines, challenge);
  if (problems.length > 0 || target === undefined) return { problems, challenge, listed: undefined };
  const { listedAtTarget } = await import('../attestation/at-target.ts');
  return { problems, challenge, listed: await listedAtTarget(lines, target, options) };
}

function contradicted(sentences: readonly string[], terminal: Terminal): ExitCode {
  print(terminal, '✗ The attestation is false.', ...sentences.map((sentence) => `  ${sentence}`));
  return EXIT.violates;
}

const EXAMPLES = `
It checks the signatures, the digests and the date, judges the journal (or the samples of a load run) again, and
compares the page of the report, where the folder has it, with what the report states.

Examples:
  petstore-conformance verify out/RUN --key vendor.pub.pem
  petstore-conformance verify out/RUN --key vendor.pub.pem --key examiner.pub.pem
      both must have signed
  PETSTORE_API_KEY=… petstore-conformance verify out/RUN --key vendor.pub.pem \\
      --challenge "audit 2026-11-22 8f3a" --target https://api.example.com/v1

Exit codes:
  0  everything that was checked is true
  1  something is false; the sentence says what
  2  no verdict: a file, a key or an option cannot be used`;
