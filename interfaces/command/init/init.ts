import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { CONFIG_FILE, chooseTarget, readConfig } from '../../options/config-file/read-config.ts';
import { entryOf } from '../../options/config-file/values.ts';
import { options } from '../../options/table.ts';
import { makeFolder, writeNewFile } from '../folder.ts';
import type { BuildServer } from './pipelines.ts';
import { pipelines } from './pipelines.ts';

/** What `init` writes. */
export interface InitSettings {
  /** The base address of the service; undefined where a configuration exists. */
  readonly url: string | undefined;
  readonly plan: string;
  /** The environment variable with the key, where the user names one. */
  readonly keyVariable: string | undefined;
  /** The build server whose pipeline is written beside the configuration. */
  readonly server: BuildServer | undefined;
}

/** The schema in the installed package, with which editors complete the file. */
const SCHEMA = './node_modules/petstore-conformance/dist/interfaces/options/config-file/config.schema.json';

/**
 * Writes a configuration file into the current folder, and a pipeline beside it; without an address, the pipeline
 * alone, for the configuration that exists. Either every file is new, or nothing is written.
 * @returns what was written and what comes next, as lines.
 * @throws {UserError} when a file exists or cannot be written.
 */
export function init(settings: InitSettings): readonly string[] {
  const { url, plan, server } = settings;
  const keyVariable =
    settings.keyVariable ?? (url === undefined ? keyInConfiguration() : undefined) ?? USUAL_KEY;
  const pipeline = server === undefined ? undefined : pipelines[server](keyVariable);
  const config = {
    $schema: SCHEMA,
    target: 'staging',
    targets: { staging: { url, plan, keys: { key: keyVariable } } },
  };
  const files = [
    ...(url === undefined ? [] : [{ path: CONFIG_FILE, text: `${JSON.stringify(config, null, 2)}\n` }]),
    ...(pipeline === undefined ? [] : [pipeline]),
  ];
  const existing = files.filter(({ path }) => existsSync(path)).map(({ path }) => path);
  if (existing.length > 0) {
    throw new UserError(
      `Nothing was written, because ${existing.join(' and ')} exists: edit it, or move it away and repeat the command.${existing.includes(CONFIG_FILE) ? ' Without --target, a pipeline is added to it.' : ''}`,
    );
  }
  for (const { path, text } of files) {
    makeFolder(dirname(path));
    writeNewFile(path, text);
  }
  return [
    ...files.map(({ path }) => `Written: ${path}`),
    ...(pipeline === undefined ? [] : [pipeline.next]),
    ...(pipeline === undefined || existsSync(SCHEMA)
      ? []
      : [
          'The pipeline runs the package that the lockfile has: "npm pack" in a clone makes a tarball of it; copy that here, and add it with "npm install --save-dev ./petstore-conformance-….tgz".',
        ]),
    'To see what a run would send: npx --no-install petstore-conformance certify --dry-run',
  ];
}

const USUAL_KEY = options.apiKeyEnv.usual ?? '';

/** The variable with the key that the configuration of this folder names. @throws {UserError} where there is none. */
function keyInConfiguration(): string | undefined {
  if (!existsSync(CONFIG_FILE)) {
    throw new UserError(
      `There is no ${CONFIG_FILE} in this folder: name the service of a new one with --target, such as --target https://staging.example.com/v1.`,
    );
  }
  const target = chooseTarget(undefined, readConfig(CONFIG_FILE), CONFIG_FILE)?.target;
  const key = entryOf('apiKeyEnv', target);
  return key === undefined ? undefined : String(key);
}
