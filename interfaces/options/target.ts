import { createPrivateKey, X509Certificate } from 'node:crypto';
import { orNone, UserError } from '../../kernel/basics/errors.ts';
import { definedFields } from '../../kernel/basics/json.ts';
import { readUserFile } from '../../kernel/basics/user-files.ts';
import { gatewayHeader, secretGatewayHeaders } from '../../kernel/exchanges/judged-headers.ts';
import { readBaseUrl, usesProxy } from '../../suites/service/inputs/base-url.ts';
import { checkedKey, distinctKeys } from '../../suites/service/inputs/checked-keys.ts';
import { readCertificateAuthority } from '../../suites/service/inputs/tls-advice.ts';
import type { TargetAccess } from '../../suites/service/run/run-settings.ts';
import type { ClientCertificate } from '../../suites/service/wire/http-wire.ts';
import type { Keys } from '../../suites/service/wire/keyring.ts';
import type { Names } from './command-line.ts';
import type { OptionValues } from './table.ts';
import { options } from './table.ts';

/**
 * Reads a client certificate and its private key; undefined where neither file is named.
 * @param names what the user calls the two.
 * @throws {UserError} when only one is named, a file cannot be read, or they do not belong together. No message repeats the key.
 */
function readClientCertificate(
  { cert, certKey }: Pick<OptionValues, 'cert' | 'certKey'>,
  names: Names,
): ClientCertificate | undefined {
  if (cert === undefined && certKey === undefined) return undefined;
  if (cert === undefined)
    throw new UserError(`The private key ${certKey} needs its certificate: name it with ${names.cert}.`);
  if (certKey === undefined)
    throw new UserError(
      `The client certificate ${cert} needs its private key: name the file with ${names.certKey}.`,
    );
  const pair = {
    cert: readUserFile(cert, 'The client certificate'),
    key: readUserFile(certKey, 'The private key'),
  };
  const certificate = orNone(() => new X509Certificate(pair.cert));
  if (certificate === undefined)
    throw new UserError(
      `The client certificate ${cert} is not in PEM format, which begins with -----BEGIN CERTIFICATE-----.`,
    );
  const key = orNone(() => createPrivateKey(pair.key));
  if (key === undefined)
    throw new UserError(
      `The private key ${certKey} is not in PEM format, or a passphrase protects it; name one without a passphrase.`,
    );
  if (!certificate.checkPrivateKey(key))
    throw new UserError(`The private key ${certKey} does not belong to the client certificate ${cert}.`);
  return pair;
}

/**
 * The environment of a dry run, which sends nothing and so needs no key and no secret header: variables that are named
 * but not set have a placeholder. The same object where nothing is missing.
 */
export function dryRunEnvironment(values: OptionValues, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { apiKeyEnv, apiKeyFile, otherKeyEnv, exhaustedKeyEnv, disposableKeyEnv } = values;
  const pairs = [...(values.planKeys ?? []), ...(values.headerEnv ?? [])];
  const named = [
    apiKeyFile === undefined ? (apiKeyEnv ?? options.apiKeyEnv.usual) : undefined,
    ...[otherKeyEnv, exhaustedKeyEnv, disposableKeyEnv],
    ...pairs.map((pair) => pair.slice(pair.indexOf('=') + 1)),
  ];
  // Pipelines set the variable of a secret that does not exist to the empty text.
  const missing = named.filter((name) => name !== undefined && (env[name] ?? '') === '');
  if (missing.length === 0) return env;
  return { ...env, ...Object.fromEntries(missing.map((name, at) => [name, `placeholder-${at}`])) };
}

export const lacksKeys = (values: OptionValues, env: NodeJS.ProcessEnv): boolean =>
  values.target !== undefined && dryRunEnvironment(values, env) !== env;

/**
 * Reads every key of a run. No message repeats text that stands in the place of a variable's name: it may be
 * the key itself.
 * @throws {UserError} when a key is missing, is empty, cannot be sent, or is given twice.
 */
function readKeys(values: OptionValues, names: Names, env: NodeJS.ProcessEnv): Keys {
  const { apiKeyEnv, apiKeyFile, planKeys = [] } = values;
  if (apiKeyEnv !== undefined && apiKeyFile !== undefined) {
    throw new UserError(
      `${names.apiKeyEnv} and ${names.apiKeyFile} both name the key: give only one of them.`,
    );
  }
  const key =
    apiKeyFile === undefined
      ? (keyOf('apiKeyEnv', values, names, env) ?? noKey(names))
      : checkedKey(readUserFile(apiKeyFile, 'The key file').trim(), `The key in the file ${apiKeyFile}`);
  const plans = planKeys.map((pair) => planKeyOf(pair, names.planKeys, env));
  return distinctKeys(
    definedFields({
      key,
      other: keyOf('otherKeyEnv', values, names, env),
      exhausted: keyOf('exhaustedKeyEnv', values, names, env),
      disposable: keyOf('disposableKeyEnv', values, names, env),
      plans: plans.length === 0 ? undefined : Object.fromEntries(plans),
    }),
  );
}

function noKey(names: Names): never {
  throw new UserError(
    `No API key: put it into the environment variable ${options.apiKeyEnv.usual}, or into a file that you name with ${names.apiKeyFile}.`,
  );
}

/** The key in the variable that an option names; without the option, the key in the usual variable, where that is set. */
function keyOf(
  option: 'apiKeyEnv' | 'otherKeyEnv' | 'exhaustedKeyEnv' | 'disposableKeyEnv',
  values: OptionValues,
  names: Names,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const { usual, variable } = options[option];
  const named = values[option];
  // These names are no keys: `init` writes the usual one, and Playwright reads the others where no option names another one.
  if (named !== undefined && [usual, variable].includes(named)) {
    const value = env[named];
    if (value !== undefined) return checkedKey(value, `The key in ${named}`);
    throw new UserError(`The environment variable ${named} is not set: put the key into it.`);
  }
  if (named !== undefined) return namedKey(names[option], named, env);
  const value = usual === undefined ? undefined : env[usual];
  // Pipelines set the variable of a secret that does not exist to the empty text.
  if (value === undefined || (value === '' && option !== 'apiKeyEnv')) return undefined;
  return checkedKey(value, `The key in ${usual}`);
}

function namedKey(option: string, variable: string, env: NodeJS.ProcessEnv): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)) {
    throw new UserError(
      `${option} takes the NAME of an environment variable, and the given text cannot be a name. If it is the key itself, remove it from the history of your shell, put the key into a variable and pass the variable's name.`,
    );
  }
  const value = env[variable];
  if (value === undefined) {
    throw new UserError(
      `The environment variable that ${option} names is not set: export it first, then pass its name (the name is not repeated here, because it could be the key itself).`,
    );
  }
  return checkedKey(value, `The key that ${option} names`);
}

function planKeyOf(pair: string, name: string, env: NodeJS.ProcessEnv): readonly [plan: string, key: string] {
  const at = pair.indexOf('=');
  if (at < 1) {
    throw new UserError(
      `${name} takes PLAN=VAR, for example pro=PETSTORE_PRO_KEY, where VAR is the name of an environment variable.`,
    );
  }
  return [pair.slice(0, at), namedKey(name, pair.slice(at + 1), env)];
}

/**
 * Reads how to reach a target without the environment. Reads files; sends nothing.
 * @param names what the user calls the inputs.
 * @throws {UserError} when one of them is missing or wrong; no message repeats a key or the value of a header.
 */
export function targetAccess(
  target: string,
  values: OptionValues,
  names: Names,
  keys: () => Keys,
): TargetAccess {
  const { ca, headers = [] } = values;
  return {
    baseUrl: readBaseUrl(target, names.target),
    keys: keys(),
    certificateAuthority: ca === undefined ? undefined : readCertificateAuthority(ca),
    clientCertificate: readClientCertificate(values, names),
    headers: headers.map((line) => gatewayHeader(line, names.headers)),
    proxied: false,
  };
}

/** The same with the keys, the secret headers and the proxy of the environment. @throws as `targetAccess` does. */
export function readTargetAccess(
  target: string,
  values: OptionValues,
  names: Names,
  env: NodeJS.ProcessEnv,
): TargetAccess {
  const access = targetAccess(target, values, names, () => readKeys(values, names, env));
  const secret = secretGatewayHeaders(values.headerEnv ?? [], names.headerEnv, env);
  return {
    ...access,
    headers: [...access.headers, ...secret],
    proxied: usesProxy(access.baseUrl, env),
  };
}
