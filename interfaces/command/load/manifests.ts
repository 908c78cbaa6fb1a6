import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { UserError } from '../../../kernel/basics/errors.ts';
import { COMMAND, countOf } from '../../../kernel/basics/text.ts';
import { makeOutputFolder } from '../../../kernel/basics/user-files.ts';
import { gatewayHeader } from '../../../kernel/exchanges/judged-headers.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import { k6Pin } from '../../../load/k6/install.ts';
import type { Profile, ProfileInputs } from '../../../load/model/profile.ts';
import type { LoadRunFile } from '../../../load/model/run-file.ts';
import type {
  Manifest,
  NamedKey,
  SampleStorage,
  SecretHeader,
  SecretReference,
} from '../../../load/operator/manifests.ts';
import { bundleScript, operatorManifests } from '../../../load/operator/manifests.ts';
import { findProfile } from '../../../load/profiles/index.ts';
import { newRunFile, RUN_FILE, writeRunFile } from '../../../load/run/run-file.ts';
import { inputVariables } from '../../../load/script/environment.ts';
import { loadPlans } from '../../../spec/plans.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { readBaseUrl } from '../../../suites/service/inputs/base-url.ts';
import { readCertificateAuthority } from '../../../suites/service/inputs/tls-advice.ts';
import { FLAGS } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { readKeysFile } from './keys.ts';
import { usualInputs } from './settings.ts';

export type ManifestOptions = CommandOptions<'load manifest'>;

const ALIAS = /^(?:key|other|disposable)$/;
const SECRET = /^(?<name>[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?)(?:\/(?<entry>[-._a-zA-Z0-9]{1,253}))?$/;
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Reads `key=petstore-free-a,other=petstore-free-b/token`. The text is never quoted in an error: it may contain a key by mistake. */
function readSecrets(text: string): Partial<Record<NamedKey, SecretReference>> {
  const secrets: Record<string, SecretReference> = {};
  for (const [at, part] of text.split(',').entries()) {
    if (part.trim() === '') continue;
    const [alias = '', reference = ''] = part.trim().split('=', 2);
    const secret = referenceIn(reference, 'api-key');
    if (!ALIAS.test(alias) || secret === undefined) {
      throw new UserError(
        `Part ${at + 1} of --keys must be NAME=SECRET: NAME is key, other or disposable, and SECRET is the name of a Kubernetes Secret that holds the key, never the key itself.`,
      );
    }
    secrets[alias] = secret;
  }
  return secrets;
}

/** The Secret with the file of the keys of a fleet. @throws {UserError} when one of the two options is missing or wrong. */
function readKeysSecret({ keysFile, keysSecret }: ManifestOptions): SecretReference | undefined {
  if (keysFile === undefined && keysSecret === undefined) return undefined;
  const secret = referenceIn(keysSecret ?? '', 'keys.csv');
  if (keysFile !== undefined && secret !== undefined) return secret;
  throw new UserError(
    '--keys-file and --keys-secret belong together: the file says how many keys of which plan there are, and SECRET or SECRET/ENTRY is the Kubernetes Secret that holds the same file (entry: keys.csv).',
  );
}

/** Where the samples go. @throws {UserError} when no storage is named, or two. */
function readStorage(options: ManifestOptions): SampleStorage {
  const { samplesClaim: claim, samplesS3: path, samplesS3Secret: secret } = options;
  if (claim !== undefined && path === undefined && secret === undefined && NAME.test(claim))
    return { kind: 'claim', claim };
  if (claim === undefined && path !== undefined && secret !== undefined && NAME.test(secret))
    return { kind: 's3', path: path.replace(/\/+$/, ''), secret };
  throw new UserError(
    'Name the storage for the samples: --samples-claim with a volume claim that all runners can write to, or --samples-s3 BUCKET/PREFIX and --samples-s3-secret with the Secret of its settings.',
  );
}

/** The headers and authorities for a gateway in front of the target. @throws {UserError} when an option is wrong. */
const readGateway = ({ ca, headers = [], headerSecret = [] }: ManifestOptions) => ({
  headers: headers.map((line) => gatewayHeader(line, FLAGS.headers)),
  secretHeaders: headerSecret.map(readSecretHeader),
  ca: ca === undefined ? undefined : readCertificateAuthority(ca),
});

/** Reads `X-Gateway=petstore-gateway/token`; the text is never quoted in an error. */
function readSecretHeader(text: string): SecretHeader {
  const [line = '', reference = ''] = text.split('=', 2);
  const secret = referenceIn(reference, undefined);
  if (secret === undefined) {
    throw new UserError(
      "--header-secret takes 'Name=SECRET/ENTRY': the entry of a Kubernetes Secret that holds the value, never the value itself.",
    );
  }
  const [header] = gatewayHeader(`${line}: from ${secret.name}`, '--header-secret');
  return { name: header, secret };
}

function referenceIn(text: string, usualEntry: string | undefined): SecretReference | undefined {
  const { name, entry = usualEntry } = SECRET.exec(text)?.groups ?? {};
  return name === undefined || entry === undefined ? undefined : { name, entry };
}

/** The folder for the file of the run, beside the manifests: kubectl would take it for one of them. */
const RUN_FOLDER = 'run';

/**
 * Writes a profile as manifests for the k6 operator into a folder, with the file that `judge` needs.
 * @throws {UserError} when an option is wrong.
 */
export async function writeManifests(
  name: string,
  options: ManifestOptions,
  terminal: Terminal,
): Promise<void> {
  const { namespace, prometheus, plan } = options;
  const profile = findProfile(name);
  // For the number and the plans of the keys alone.
  const listed = options.keysFile === undefined ? [] : readKeysFile(options.keysFile);
  const exclusive = options.exclusiveKey === true;
  const keys = { plan, listed, fleet: listed.length, exclusive };
  const inputs = usualInputs(profile, loadPlans(options.plans), keys);
  const runners = readRunners(options.parallelism ?? 1, profile, inputs);
  const keysSecret = readKeysSecret(options);
  const secrets = readSecrets(options.keys ?? '');
  requireKeys(profile, inputs, { ...secrets, fleet: keysSecret });
  const target = readBaseUrl(options.target, '--target').href.replace(/\/$/, '');
  const manifests = operatorManifests({
    profile: profile.id,
    environment: {
      TARGET: target,
      PROFILE: profile.id,
      PLAN: plan,
      ...inputVariables(inputs),
    },
    secrets,
    keysSecret,
    runners,
    script: await bundleScript(),
    storage: readStorage(options),
    ...readGateway(options),
    ...{ namespace, prometheus },
  });
  const run = newRunFile(
    {
      ...{ suite: SUITE, spec: await loadSpecification(), target: { baseUrl: target, plan } },
      ...{ profile: profile.id, inputs, latencyThresholdMs: null, runners },
    },
    k6Pin.version,
  );
  print(terminal, ...writeAll(manifests, run, options.out));
}

function readRunners(runners: number, profile: Profile, inputs: ProfileInputs): number {
  const keys = profile.scenarios(inputs).length;
  if (runners <= keys) return runners;
  throw new UserError(
    `--parallelism ${runners} is more than the ${countOf(keys, 'key')} of this run: each key has one runner, so the others would send nothing.`,
  );
}

/** @throws {UserError} when the Secret of a key is missing. */
function requireKeys(
  profile: Profile,
  inputs: ProfileInputs,
  given: Readonly<Record<string, unknown>>,
): void {
  for (const { key } of profile.scenarios(inputs)) {
    const source = key.startsWith('fleet-') ? 'fleet' : key;
    // A fleet of one is the key under test.
    if (given[source] !== undefined || (key === 'fleet-1' && given['key'] !== undefined)) continue;
    throw new UserError(
      source === 'fleet'
        ? `${profile.id} uses a fleet: name the file of its keys with --keys-file, and the Secret that holds the same file with --keys-secret.`
        : `The profile ${profile.id} uses the key ${key}, but --keys names no Secret for it: add ${key}=SECRET to --keys.`,
    );
  }
}

function writeAll(manifests: readonly Manifest[], run: LoadRunFile, folder: string): readonly string[] {
  const runFolder = join(folder, RUN_FOLDER);
  for (const path of [folder, runFolder]) makeOutputFolder(path, '--out');
  for (const manifest of manifests) {
    const { kind, metadata } = manifest as {
      readonly kind: string;
      readonly metadata: { readonly name: string };
    };
    writeFileSync(join(folder, `${metadata.name}.${kind.toLowerCase()}.yaml`), stringify(manifest));
  }
  writeRunFile(runFolder, run);
  return [
    `Wrote ${manifests.length} manifests to ${folder}. Run the profile with: kubectl apply -f ${folder}`,
    `Judge it with: ${COMMAND} judge ${join(runFolder, RUN_FILE)} SAMPLES, where SAMPLES is the folder with those of all runners.`,
  ];
}
