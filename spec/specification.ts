import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SchemaObject } from 'ajv';
import { register } from './register.ts';

/** The schemas of the specification. */
export type SchemaName = 'Category' | 'NewCategory' | 'Error';

/** The specification that a target is tested against: its version, its digest and its schemas. */
export interface Specification {
  /** Version of the interface description ("The interface description is version 1.0.0"). */
  readonly version: string;
  /** `sha256:` and 64 hexadecimal digits: runs with the same digest were judged by the same specification. */
  readonly digest: string;
  /**
   * The schemas without references, ready for ajv in strict mode with the formats of ajv-formats: they use
   * no keyword that OpenAPI 3.0 has and JSON Schema lacks. `int64` needs its own check on the JSON text,
   * since a JavaScript number is rounded from 2^53 on.
   */
  readonly schemas: Readonly<Record<SchemaName, SchemaObject>>;
}

/**
 * Reads the specification. Its tests check that the interface description is valid OpenAPI; to check that here would
 * take longer than all other work at the start. The digest covers the bytes of `openapi.yaml`, then those of
 * `interface-specification.md`, then the register as `JSON.stringify` writes it.
 * @throws {Error} when a file of this folder is damaged, which is a defect of the installation and not an error of the
 * user.
 */
export async function loadSpecification(): Promise<Specification> {
  const { parse } = await import('yaml');
  const { components } = parse(await descriptionText()) as Description;
  return {
    ...(await ownSpecification()),
    schemas: {
      Category: schemaNamed('Category', components.schemas),
      NewCategory: schemaNamed('NewCategory', components.schemas),
      Error: schemaNamed('Error', components.schemas),
    },
  };
}

/** What a record names the specification of this installation by. @throws {Error} as `loadSpecification`. */
export async function ownSpecification(): Promise<Pick<Specification, 'version' | 'digest'>> {
  const description = await descriptionText();
  // A parser of YAML takes longer to load than all other work before the first request of a load run.
  const [, version] = /^info:\n(?: .*\n)*? {2}version: (.+)$/m.exec(description) ?? [];
  if (version === undefined) throw new Error('spec/openapi.yaml has no version.');
  const prose = await readFile(new URL('./interface-specification.md', import.meta.url));
  return { version, digest: digestOf([description, prose, JSON.stringify(register)]) };
}

const descriptionText = (): Promise<string> => readFile(new URL('./openapi.yaml', import.meta.url), 'utf8');

/** `sha256:` and the hexadecimal SHA-256 of the concatenated parts. */
export function digestOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `sha256:${hash.digest('hex')}`;
}

/** What is read of `openapi.yaml`. */
interface Description {
  readonly components: { readonly schemas: Schemas };
}
type Schemas = Readonly<Record<string, object>>;

/** A schema of the description, with the schemas to which it refers in the places of the references. */
function schemaNamed(name: string, schemas: Schemas): SchemaObject {
  if (schemas[name] === undefined) throw new Error(`spec/openapi.yaml has no schema ${name}.`);
  return JSON.parse(JSON.stringify(schemas[name]), (_, value: { $ref?: string } | null) =>
    typeof value?.$ref === 'string'
      ? schemaNamed(value.$ref.replace('#/components/schemas/', ''), schemas)
      : value,
  ) as SchemaObject;
}
