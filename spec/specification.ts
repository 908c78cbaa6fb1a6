import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { register } from './register.ts';

/** The specification that a target is tested against: its version and its digest. */
export interface Specification {
  /** Version of the interface description ("The interface description is version 1.0.0"). */
  readonly version: string;
  /** `sha256:` and 64 hexadecimal digits: runs with the same digest were judged by the same specification. */
  readonly digest: string;
}

/**
 * Reads the specification. Its tests check that the interface description is valid OpenAPI; to check that here would
 * take longer than all other work at the start. The digest covers the bytes of `openapi.yaml`, then those of
 * `interface-specification.md`, then the register as `JSON.stringify` writes it.
 * @throws {Error} when a file of this folder is damaged, which is a defect of the installation and not an error of the
 * user.
 */
export async function loadSpecification(): Promise<Specification> {
  const description = await readFile(new URL('./openapi.yaml', import.meta.url), 'utf8');
  const [, version] = /^info:\n(?: .*\n)*? {2}version: (.+)$/m.exec(description) ?? [];
  if (version === undefined) throw new Error('spec/openapi.yaml has no version.');
  const prose = await readFile(new URL('./interface-specification.md', import.meta.url));
  return { version, digest: digestOf([description, prose, JSON.stringify(register)]) };
}

/** `sha256:` and the hexadecimal SHA-256 of the concatenated parts. */
export function digestOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `sha256:${hash.digest('hex')}`;
}
