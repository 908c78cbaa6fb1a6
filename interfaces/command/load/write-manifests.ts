import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { definedFields } from '../../../kernel/basics/defined-fields.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import { SUITE } from '../../../kernel/findings/suite.ts';
import { k6Pin } from '../../../load/k6/pin.ts';
import type { ProfileInputs } from '../../../load/model/inputs.ts';
import { fleetPlansOf } from '../../../load/model/key-list.ts';
import type { Profile } from '../../../load/model/profile.ts';
import type { LoadRunFile } from '../../../load/model/run-file.ts';
import { bundleScript } from '../../../load/operator/bundle.ts';
import type { Manifest } from '../../../load/operator/manifests.ts';
import { operatorManifests } from '../../../load/operator/manifests.ts';
import { findProfile } from '../../../load/profiles/index.ts';
import { defaultSoak } from '../../../load/profiles/soak.ts';
import { planLimitsText } from '../../../load/run/k6-command.ts';
import { newRunFile, RUN_FILE, writeRunFile } from '../../../load/run/run-file.ts';
import { limitsOf, loadPlans } from '../../../spec/plans.ts';
import { ownSpecification } from '../../../spec/specification.ts';
import { readBaseUrl } from '../../../suites/service/inputs/base-url.ts';
import { makeFolder } from '../folder.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { readKeysFile } from './keys.ts';
import type { ManifestOptions } from './manifest-options.ts';
import { readGateway, readKeysSecret, readSecrets, readStorage } from './manifest-options.ts';
import { checkPlans } from './settings.ts';

/** The folder for the file of the run, beside the manifests: kubectl would take it for one of them. */
const RUN_FOLDER = 'run';

/**
 * Writes a profile as manifests for the k6 operator into a folder, with the file that `judge` needs.
 * @throws {UserError | PlanFileError | UnknownProfileError} when an option is wrong.
 */
export async function writeManifests(
  name: string,
  options: ManifestOptions,
  terminal: Terminal,
): Promise<void> {
  const { namespace, prometheus, plan } = options;
  const profile = findProfile(name);
  const inputs = inputsOf(options);
  checkPlans(profile, inputs.fleetPlans);
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
      LIMITS: JSON.stringify(inputs.limits),
      MINUTES: String(inputs.minutes),
      ...(inputs.fleetPlans === undefined ? {} : { PLAN_LIMITS: planLimitsText(inputs) }),
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
      ...{ suite: SUITE, spec: await ownSpecification(), target: { baseUrl: target, plan } },
      ...{ profile: profile.id, inputs, latencyThresholdMs: null, runners },
    },
    k6Pin.version,
  );
  print(terminal, ...writeAll(manifests, run, options.out));
}

/** The keys file is read for the number and the plans of the keys only. */
function inputsOf({ plan, plans: path, keysFile, exclusiveKey }: ManifestOptions): ProfileInputs {
  const plans = loadPlans(path);
  const limits = limitsOf(plans, plan);
  const listed = keysFile === undefined ? [] : readKeysFile(keysFile);
  const fleetPlans = fleetPlansOf(listed, plan, (one) => limitsOf(plans, one));
  return definedFields({
    limits,
    fleet: Math.max(1, listed.length),
    minutes: defaultSoak(limits, fleetPlans),
    fleetPlans,
    exclusiveKeys: exclusiveKey === true ? true : undefined,
  });
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
  makeFolder(folder);
  makeFolder(runFolder);
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
    `Judge it with: petstore-conformance judge ${join(runFolder, RUN_FILE)} SAMPLES, where SAMPLES is the folder with those of all runners.`,
  ];
}
