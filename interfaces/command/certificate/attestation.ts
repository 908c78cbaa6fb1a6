import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import { readUserFile } from '../../../kernel/basics/user-files.ts';
import { REPORT, RUN_WORDS, shortcomingsOf } from '../../certificate/attested-run.ts';
import type { Envelope } from '../../certificate/envelope.ts';
import {
  envelopeOf,
  isSignedBy,
  keyIdOf,
  privateKey,
  signed,
  statementIn,
} from '../../certificate/envelope.ts';
import { statementOf, uncheckedFields } from '../../certificate/statement.ts';
import type { Presented } from '../../certificate/verify.ts';
import { verify, verifyStatement } from '../../certificate/verify.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { certificateLines, claimedLines } from './certificate-lines.ts';
import { claimedRun } from './certification-run.ts';
import { writeAttestation } from './files.ts';
import { comparisonIn, envelopeIn, presented, runIn } from './presented.ts';

export interface AttestOptions {
  readonly key?: string;
  readonly keyEnv?: string;
  readonly days: number;
  readonly countersign?: boolean;
}

const DAY_MS = 86_400_000;

/** Signs what `verify` would find true, and nothing else. */
export async function attest(folder: string, options: AttestOptions, terminal: Terminal): Promise<ExitCode> {
  const key = signingKey(options);
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
  const path = writeAttestation(folder, `${JSON.stringify(complete, null, 2)}\n`);
  const signer = `key ${keyIdOf(createPublicKey(key)).slice(0, 16)}…`;
  const others = envelope.signatures.length;
  print(
    terminal,
    ...certificateLines(folder, comparison.run, found, [
      signer,
      ...(others === 0
        ? []
        : [`${countOf(others, 'signature')} before, not checked: verify --key checks each`]),
    ]),
    `Signed: ${path}.`,
  );
  return EXIT.conforms;
}

function signingKey({ key, keyEnv }: AttestOptions) {
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
  const run = await runIn(folder);
  const missing = RUN_WORDS[run.kind].files.find((name) => run.digests[name] === undefined);
  if (missing !== undefined) {
    throw new UserError(`${folder} has no ${missing}: name the folder of a finished run.`);
  }
  if (run.report === undefined) {
    throw new UserError(
      `${join(folder, REPORT)} is not a report of this program: name the folder of a finished run.`,
    );
  }
  const signedAt = new Date();
  const expiresAt = new Date(signedAt.getTime() + days * DAY_MS);
  return envelopeOf(JSON.stringify(statementOf(run, run.report, { signedAt, expiresAt })));
}

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
  if (found.kind === 'false') {
    print(terminal, '✗ The certificate is not true.', ...found.sentences.map((sentence) => `  ${sentence}`));
    return EXIT.violates;
  }
  const { certified, report } = found.judged;
  print(terminal, ...certificateLines(folder, all.run, found, signersOf(all)));
  return shortcomingsOf(certified, report).length === 0 ? EXIT.conforms : EXIT.incomplete;
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
