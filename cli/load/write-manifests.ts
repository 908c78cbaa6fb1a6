import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { gatewayHeader } from '../../exchanges/gateway-headers.ts';
import { findK6 } from '../../load/k6/find.ts';
import type { KeyAlias, ProfileInputs } from '../../load/model/profile.ts';
import { archiveScript } from '../../load/operator/archive.ts';
import type { Manifest, SecretHeader, SecretReference } from '../../load/operator/manifests.ts';
import { operatorManifests } from '../../load/operator/manifests.ts';
import { findProfile } from '../../load/profiles/index.ts';
import { defaultSoak } from '../../load/profiles/soak.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { readBaseUrl } from '../../suites/inputs/base-url.ts';
import { readCertificateAuthority } from '../../suites/inputs/certificate-authority.ts';
import { UserError } from '../../words/user-error.ts';
import { makeFolder } from '../folder.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';

/** The options of `load manifest`, as commander hands them over. */
export interface ManifestOptions {
  readonly target: string;
  readonly keys: string;
  readonly plan: string;
  readonly plans?: string;
  readonly ca?: string;
  readonly header?: readonly string[];
  readonly headerSecret?: readonly string[];
  readonly namespace?: string;
  readonly prometheus?: string;
  readonly out?: string;
}

/**
 * Writes a profile as manifests for the k6 operator, into a folder or to standard output.
 * @throws {UserError | PlanFileError | UnknownProfileError} when an option is wrong, or k6 is missing.
 */
export async function writeManifests(
  name: string,
  options: ManifestOptions,
  terminal: Terminal,
): Promise<void> {
  const profile = findProfile(name);
  const secrets = readSecrets(options.keys);
  const gateway = readGateway(options);
  const limits = limitsOf(loadPlans(options.plans), options.plan);
  const fleet = Object.keys(secrets).filter((key) => key.startsWith('fleet-')).length;
  const inputs: ProfileInputs = { limits, fleet: Math.max(1, fleet), minutes: defaultSoak(limits) };
  const scenarios = profile.scenarios(inputs);
  const environment = {
    TARGET: readBaseUrl(options.target, '--target').href.replace(/\/$/, ''),
    PROFILE: profile.id,
    LIMITS: JSON.stringify(limits),
    ...(fleet === 0 ? {} : { FLEET: String(fleet) }),
  };
  const k6 = await findK6();
  if (k6.kind === 'missing')
    throw new UserError(`k6 is needed to archive the script, and none was found. ${k6.advice}`);
  const archives: Partial<Record<KeyAlias, Uint8Array>> = {};
  for (const { key } of scenarios) archives[key] = await archiveScript(k6.path, key, environment);
  const { namespace, prometheus } = options;
  const manifests = operatorManifests({
    profile: profile.id,
    scenarios,
    environment,
    secrets,
    archives,
    ...gateway,
    ...(namespace === undefined ? {} : { namespace }),
    ...(prometheus === undefined ? {} : { prometheus }),
  });
  if (options.out === undefined)
    print(
      terminal,
      manifests
        .map((one) => stringify(one))
        .join('---\n')
        .trimEnd(),
    );
  else print(terminal, ...writeAll(manifests, options.out));
}

function writeAll(manifests: readonly Manifest[], folder: string): readonly string[] {
  makeFolder(folder);
  for (const manifest of manifests) {
    const { kind, metadata } = manifest as {
      readonly kind: string;
      readonly metadata: { readonly name: string };
    };
    writeFileSync(join(folder, `${metadata.name}.${kind.toLowerCase()}.yaml`), stringify(manifest));
  }
  return [
    `Wrote ${manifests.length} manifests to ${folder}. Run the profile with: kubectl apply -f ${folder}`,
  ];
}

const ALIAS = /^(?:key|other|disposable|fleet-[1-9][0-9]{0,4})$/;
const SECRET = /^(?<name>[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?)(?:\/(?<entry>[-._a-zA-Z0-9]{1,253}))?$/;

/** Reads `key=petstore-free-a,other=petstore-free-b/token`. The text is never quoted in an error: it may contain a key by mistake. */
function readSecrets(text: string): Partial<Record<KeyAlias, SecretReference>> {
  const secrets: Record<string, SecretReference> = {};
  for (const [at, part] of text.split(',').entries()) {
    const [alias = '', reference = ''] = part.trim().split('=', 2);
    const { name, entry } = SECRET.exec(reference)?.groups ?? {};
    if (!ALIAS.test(alias) || name === undefined) {
      throw new UserError(
        `Part ${at + 1} of --keys must be NAME=SECRET: NAME is key, other, disposable or fleet-1, fleet-2…, and SECRET is the name of a Kubernetes Secret that holds the key, never the key itself.`,
      );
    }
    secrets[alias] = { name, entry: entry ?? 'api-key' };
  }
  return secrets;
}

/** The headers and authorities for a gateway in front of the target. @throws {UserError} when an option is wrong. */
function readGateway({ ca, header = [], headerSecret = [] }: ManifestOptions) {
  return {
    headers: header.map((line) => gatewayHeader(line, '--header')),
    secretHeaders: headerSecret.map(readSecretHeader),
    ...(ca === undefined ? {} : { ca: readCertificateAuthority(ca) }),
  };
}

/** Reads `X-Gateway=petstore-gateway/token`; the text is never quoted in an error. */
function readSecretHeader(text: string): SecretHeader {
  const [line = '', reference = ''] = text.split('=', 2);
  const { name, entry } = SECRET.exec(reference)?.groups ?? {};
  if (name === undefined || entry === undefined) {
    throw new UserError(
      "--header-secret takes 'Name=SECRET/ENTRY': the entry of a Kubernetes Secret that holds the value, never the value itself.",
    );
  }
  const [header] = gatewayHeader(`${line}: from ${name}`, '--header-secret');
  return { name: header, secret: { name, entry } };
}
