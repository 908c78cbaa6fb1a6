import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';
import type { EndWith } from '../exit-code.ts';
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
      await attest(folder, options, terminal);
      endWith(EXIT.conforms);
    });
}

async function attest(folder: string, options: AttestOptions, terminal: Terminal): Promise<void> {
  const { keyIdOf, envelopeOf, signed } = await import('../../attestation/envelope.ts');
  const { createPublicKey } = await import('node:crypto');
  const { ATTESTATION_FILE } = await import('../attestation/files.ts');
  const key = await signingKey(options);
  const path = join(folder, ATTESTATION_FILE);
  const envelope =
    options.countersign === true
      ? await existing(path)
      : envelopeOf(await statementText(folder, options.days));
  const complete = signed(envelope, key);
  try {
    writeFileSync(path, `${JSON.stringify(complete, null, 2)}\n`);
  } catch (error) {
    throw new UserError(`The attestation could not be written to ${path}: ${fileTrouble(error)}.`);
  }
  const { RUN_WORDS } = await import('../../attestation/attested-run.ts');
  const { runKindIn } = await import('../attestation/run-in.ts');
  const { unproven } = RUN_WORDS[await runKindIn(folder)];
  print(
    terminal,
    `Attestation: ${path}, signed by key ${keyIdOf(createPublicKey(key)).slice(0, 16)}… (${complete.signatures.length} in all).`,
    `With your public key, "verify" shows whether these files were changed since, and whether the verdicts follow from what was recorded. ${unproven}`,
  );
}

async function signingKey({ key, keyEnv }: AttestOptions) {
  const { privateKey } = await import('../../attestation/keys.ts');
  const { readUserFile } = await import('../../words/user-file.ts');
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

async function statementText(folder: string, days: number): Promise<string> {
  const { statementOf } = await import('../../attestation/statement.ts');
  const { RUN_WORDS } = await import('../../attestation/attested-run.ts');
  const { loadSpecification } = await import('../../spec/specification.ts');
  const { runIn } = await import('../attestation/run-in.ts');
  const { statedSpecification } = await import('../attestation/stated-specification.ts');
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
  if (run.report.isPartial) {
    throw new UserError(
      `${folder} holds a partial run, which certifies nothing: run certify without --only, --skip and --quick, and attest that run.`,
    );
  }
  const specification = statedSpecification(run.report, await loadSpecification());
  const signedAt = new Date();
  const expiresAt = new Date(signedAt.getTime() + days * DAY_MS);
  return JSON.stringify(statementOf(run, run.report, specification, { signedAt, expiresAt }));
}

async function existing(path: string) {
  const { readEnvelope } = await import('../../attestation/read-envelope.ts');
  const { readUserFile } = await import('../../words/user-file.ts');
  const envelope = readEnvelope(readUserFile(path, 'The attestation'));
  if (envelope === undefined)
    throw new UserError(
      `${path} is not an attestation of this program: leave out --countersign to make one.`,
    );
  return envelope;
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
      the examiner, who watched the run or made it, signs the same statement`;
