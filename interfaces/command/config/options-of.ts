import type { Config, ConfiguredTarget } from './config.ts';
import { pathBelow } from './path-below.ts';

/** The commands that read a configuration file. */
export type ConfigurableCommand = 'certify' | 'load' | 'certify-client';

/** Values of options by their names in code (`otherKeyEnv`), in the shapes that commander gives them. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[]>>;

type Values = Readonly<Record<string, OptionValues[string] | undefined>>;

/** What a target states, as options. @param file the path of the configuration file. */
export function targetValues(target: ConfiguredTarget, file: string): OptionValues {
  const { url, plan, keys = {}, headers = {}, secretHeaders = {}, openapi } = target;
  const path = pathBelow(file);
  return given({
    target: url,
    plan,
    plans: path(target.plans),
    apiKeyEnv: keys.key,
    otherKeyEnv: keys.other,
    exhaustedKeyEnv: keys.exhausted,
    disposableKeyEnv: keys.disposable,
    fleetKeysEnv: keys.fleet,
    planKey: pairs(keys.plans ?? {}, '='),
    exclusiveKey: target.exclusiveKey,
    namePattern: target.namePattern,
    openapi: openapi !== undefined && /^https?:/i.test(openapi) ? openapi : path(openapi),
    baseline: path(target.baseline),
    ca: path(target.ca),
    cert: path(target.cert),
    certKey: path(target.certKey),
    header: pairs(headers, ': '),
    headerEnv: pairs(secretHeaders, '='),
  });
}

/** What the section of a command states, as options. @param file the path of the configuration file. */
export function commandValues(command: ConfigurableCommand, config: Config, file: string): OptionValues {
  const path = pathBelow(file);
  switch (command) {
    case 'certify': {
      const { out, ...rest } = config.certify ?? {};
      return given({ ...rest, out: path(out) });
    }
    case 'load': {
      const { out, latencyMs, useFullDay } = config.load ?? {};
      const thresholds = config.thresholds === undefined ? undefined : file;
      return given({ latencyMs: latencyMs?.toString(), useFullDay, thresholds, out: path(out) });
    }
    case 'certify-client': {
      const { command: words, only, long, jobs, seconds, strict, out } = config['certify-client'] ?? {};
      return given({
        words,
        only: only?.join(','),
        long,
        jobs: jobs?.toString(),
        seconds: seconds?.toString(),
        strict,
        out: path(out),
      });
    }
  }
}

function pairs(entries: Readonly<Record<string, string>>, between: string): readonly string[] | undefined {
  const list = Object.entries(entries).map(([name, value]) => `${name}${between}${value}`);
  return list.length === 0 ? undefined : list;
}

/** Without what is not stated: an option that is `false` is one that is not given. */
const given = (values: Values): OptionValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === false ? [] : [[name, value]],
    ),
  );
