import { UserError } from '../../kernel/basics/user-error.ts';
import type { HeaderLine } from '../../kernel/exchanges/exchange.ts';

/** An entry of a Kubernetes Secret. */
export interface SecretReference {
  readonly name: string;
  readonly entry: string;
}

/** A header for a gateway, with its value in a Secret. */
export interface SecretHeader {
  readonly name: string;
  readonly secret: SecretReference;
}

/** Where the runners leave their samples. */
export type SampleStorage =
  /** A volume that all runners can write to; each has a folder of its own, named after its pod. */
  | { readonly kind: 'claim'; readonly claim: string }
  /** Storage that speaks S3: a sidecar of each runner copies its samples to `bucket/prefix`, with the settings in a Secret. */
  | { readonly kind: 's3'; readonly path: string; readonly secret: string };

/** The keys that have a variable of their own. */
export type NamedKey = 'key' | 'other' | 'disposable';

/** A profile to run on Kubernetes. */
export interface Deployment {
  readonly profile: string;
  /** The variables of every runner: TARGET, PROFILE, LIMITS and so on. Never a key. */
  readonly environment: Readonly<Record<string, string>>;
  /** The Secrets of the keys that have a variable of their own. */
  readonly secrets: Readonly<Partial<Record<NamedKey, SecretReference>>>;
  /** The Secret with the file of the keys of a fleet. */
  readonly keysSecret?: SecretReference | undefined;
  /** How many runners send together; each takes its share of the keys. */
  readonly runners: number;
  /** The script in one file. */
  readonly script: string;
  readonly storage: SampleStorage;
  /** Headers that a gateway requires on every request: with values in the manifest, and with values in a Secret. */
  readonly headers?: readonly HeaderLine[];
  readonly secretHeaders?: readonly SecretHeader[];
  /** Certificate authorities to trust besides those of the image, as PEM. */
  readonly ca?: string | undefined;
  readonly namespace?: string | undefined;
  /** The address of the Prometheus remote-write receiver for the results. */
  readonly prometheus?: string | undefined;
}

/** A profile that cannot be written as manifests; the message is one sentence for the user. */
export class ManifestError extends UserError {
  override readonly name = 'ManifestError';
}
