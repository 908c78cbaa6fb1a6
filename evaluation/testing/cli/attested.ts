import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { envelopeOf, payloadText, signed } from '../../../interfaces/certificate/envelope.ts';
import { statementOf } from '../../../interfaces/certificate/statement.ts';
import { runIn } from '../../../interfaces/command/certificate/presented.ts';

/** Makes a pair of Ed25519 keys in a folder. @returns the paths of the private key and of the public one, as PEM files. */
export function keyPair(folder: string, name: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [own, pub] = [join(folder, `${name}.pem`), join(folder, `${name}.pub.pem`)];
  writeFileSync(own, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(pub, publicKey.export({ type: 'spki', format: 'pem' }));
  return { own, pub };
}

type KeyFiles = ReturnType<typeof keyPair>;

/** A copy of the folder of a run beside it, to be changed. */
export function copyOf(run: string, name: string): string {
  const copy = `${run}-${name.replaceAll(/\W+/g, '-')}`;
  cpSync(run, copy, { recursive: true });
  return copy;
}

/** Changes the text of a file. @throws {Error} where the change changes nothing. */
export function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`the text of ${path} was not changed`);
  writeFileSync(path, after);
}

/** A way to tamper with a run: what changes in its folder, and the sentence that names it. */
export type Tampering = readonly [change: (folder: string) => void, sentence: RegExp];

/** Replaces a text in a file of a folder. */
export const replacing =
  (name: string, from: string | RegExp, to: string) =>
  (folder: string): void =>
    edit(join(folder, name), (text) => text.replace(from, to));

/** Changes the signed statement of a folder, and signs it again. */
export function editSigned(run: string, key: KeyFiles, change: (statement: string) => string): void {
  edit(join(run, 'attestation.json'), (text) =>
    JSON.stringify(
      signed(envelopeOf(change(payloadText(JSON.parse(text)))), createPrivateKey(readFileSync(key.own))),
    ),
  );
}

/** Signs whatever lies in a folder, without a check, as a program of a vendor's own could. */
export async function forge(folder: string, key: KeyFiles): Promise<void> {
  const run = await runIn(folder);
  if (run.report === undefined) throw new Error(`${folder} has no report`);
  const signedAt = new Date();
  const expiresAt = new Date(signedAt.getTime() + 86_400_000);
  const text = JSON.stringify(statementOf(run, run.report, { signedAt, expiresAt }));
  const envelope = signed(envelopeOf(text), createPrivateKey(readFileSync(key.own)));
  writeFileSync(join(folder, 'attestation.json'), JSON.stringify(envelope));
}
