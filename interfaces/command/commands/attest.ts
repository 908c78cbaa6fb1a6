import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { UserError } from '../../../kernel/basics/errors.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import type { Envelope } from '../../certificate/envelope.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';

interface AttestOptions {
  readonly key?: string;
  readonly keyEnv?: string;
  readonly days: number;
  readonly countersign?: boolean;
}

const DAY_MS = 86_400_000;

/** `attest`: signs what a run found, so that others can check it. */
export function attestCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('attest')
    .argument('<folder>', 'folder of a run of certify, certify-client or load')
    .option('--key <file>', 'Ed25519 private key in PEM form')
    .option('--key-env <var>', 'environment variable that holds the PEM text instead')
    .option('--days <n>', 'how many days the attestation is valid', wholeDays, 90)
    .option('--countersign', 'add a signature to an attestation: the examiner confirms the same statement')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: AttestOptions) => {
      endWith(await attest(folder, options, terminal));
    });
}

/** Signs what `verify` would find true, and nothing else. */
async function attest(folder: string, options: AttestOptions, terminal: Terminal): Promise<ExitCode> {
  const { keyIdOf, signed, statementIn } = await import('../../certificate/envelope.ts');
  const { uncheckedFields } = await import('../../certificate/statement.ts');
  const { verifyStatement } = await import('../../certificate/verify.ts');
  const { createPublicKey } = await import('node:crypto');
  const { comparisonIn, envelopeIn } = await import('../certificate/presented.ts');
  const { certificateLines } = await import('../certificate/certificate-lines.ts');
  const { uncoveredFiles, writeAttestation } = await import('../certificate/files.ts');
  const key = await signingKey(options);
  const envelope =
    options.countersign === true ? envelopeIn(folder) : await newEnvelope(folder, options.days);
  const statement = statementIn(envelope);
  if (statement === undefined)
    throw new UserError(
      `${folder} has an attestation that is no statement about a test result: sign the run anew, without --countersign.`,
    );
  const comparison = await comparisonIn(folder, statement);
  const found = await verifyStatement(statement, comparison);
  if (found.kind === 'no verdict') throw new UserError(found.sentence);
  if (found.kind === 'changed' || (found.kind === 'true' && found.judged.earlier !== undefined))
    throw new UserError(
      `${folder} holds a run of another version of the suite, whose report this one cannot compare in full: sign it with that version, or repeat the run.`,
    );
  if (found.kind === 'false') {
    print(terminal, '✗ Nothing was signed.', ...found.sentences.map((sentence) => `  ${sentence}`));
    return EXIT.violates;
  }
  if (found.judged.certified.partial)
    throw new UserError(
      `${folder} holds a partial run, which certifies nothing: run certify without --only, --skip and --quick, and attest that run.`,
    );
  if (uncheckedFields(statement, comparison.run.kind, found.judged.report).length > 0)
    throw new UserError(
      `${folder} has an attestation with fields that this program does not check: sign the run anew, without --countersign.`,
    );
  const complete = signed(envelope, key);
  const path = writeAttestation(
    folder,
    `${JSON.stringify(complete, null, 2)}
`,
  );
  const signer = `key ${keyIdOf(createPublicKey(key)).slice(0, 16)}…`;
  const others = envelope.signatures.length;
  print(
    terminal,
    ...certificateLines({ ...found, run: comparison.run, uncovered: uncoveredFiles(folder, statement) }, [
      signer,
      ...(others === 0
        ? []
        : [`${countOf(others, 'signature')} before, not checked: verify --key checks each`]),
    ]),
    `Signed: ${path}.`,
  );
  return EXIT.conforms;
}

async function signingKey({ key, keyEnv }: AttestOptions) {
  const { privateKey } = await import('../../certificate/envelope.ts');
  const { readUserFile } = await import('../../../kernel/basics/user-files.ts');
  if ((key === undefined) === (keyEnv === undefined)) {
    throw new UserError(
      'Name the private key: a PEM file with --key, or an environment variable with --key-env.',
    );
  }
  if (key !== undefined) return privateKey(readUserFile(key, 'The private key'), key);
  const pem = process.env[keyEnv ?? ''] ?? '';
  if (pem === '')
    throw new UserError(
      'The variable that --key-env names is empty: put the PEM text of the private key into it.',
    );
  return privateKey(pem, 'The variable that --key-env names');
}

async function newEnvelope(folder: string, days: number): Promise<Envelope> {
  const { envelopeOf } = await import('../../certificate/envelope.ts');
  const { statementOf } = await import('../../certificate/statement.ts');
  const { RUN_WORDS } = await import('../../certificate/attested-run.ts');
  const { loadSpecification } = await import('../../../spec/specification.ts');
  const { runIn } = await import('../certificate/presented.ts');
  const { statedSpecification } = await import('../certificate/certification-run.ts');
  const run = await runIn(folder);
  const words = RUN_WORDS[run.kind];
  const missing = words.files.find((name) => run.digests[name] === undefined);
  if (missing !== undefined) {
    throw new UserError(`${folder} has no ${missing}: name the folder of a finished run.`);
  }
  if (run.report === undefined) {
    throw new UserError(
      `${join(folder, words.report)} is not a report of this program: name the folder of a finished run.`,
    );
  }
  const specification = statedSpecification(run.report, await loadSpecification());
  const signedAt = new Date();
  const expiresAt = new Date(signedAt.getTime() + days * DAY_MS);
  return envelopeOf(JSON.stringify(statementOf(run, run.report, specification, { signedAt, expiresAt })));
}

function wholeDays(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number of days from 1 to 9999.');
}

const EXAMPLES = `
Examples:
  openssl genpkey -algorithm ed25519 -out vendor.pem
  petstore-conformance attest out/RUN --key vendor.pem
  petstore-conformance attest out/RUN --key examiner.pem --countersign
      the examiner, who watched the run or made it, signs the same statement

Before it signs, it checks everything that verify checks.

Exit codes:
  0  signed
  1  not signed: the report does not follow from what was recorded; the sentence says what differs
  2  not signed: a file, a key or an option cannot be used`;
