import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../../kernel/basics/user-error.ts';
import { CONFIG_FILE } from '../../options/config-file/config.ts';
import { makeFolder, writeNewFile } from '../folder.ts';
import type { BuildServer } from './pipelines.ts';
import { pipelines } from './pipelines.ts';

/** What `init` writes. */
export interface InitSettings {
  /** The base address of the service. */
  readonly url: string;
  readonly plan: string;
  /** The environment variable with the key. */
  readonly keyVariable: string;
  /** The build server whose pipeline is written beside the configuration. */
  readonly server: BuildServer | undefined;
}

/** The schema in the installed package, with which editors complete the file. */
const SCHEMA = './node_modules/petstore-conformance/dist/interfaces/options/config-file/config.schema.json';

/**
 * Writes a configuration file into the current folder, and a pipeline beside it. Either every file is new, or nothing
 * is written.
 * @returns what was written and what comes next, as lines.
 * @throws {UserError} when a file exists or cannot be written.
 */
export function init(settings: InitSettings): readonly string[] {
  const { url, plan, keyVariable, server } = settings;
  const pipeline = server === undefined ? undefined : pipelines[server](keyVariable);
  const config = {
    $schema: SCHEMA,
    target: 'staging',
    targets: { staging: { url, plan, keys: { key: keyVariable } } },
  };
  const files = [
    { path: CONFIG_FILE, text: `${JSON.stringify(config, null, 2)}\n` },
    ...(pipeline === undefined ? [] : [pipeline]),
  ];
  const existing = files.filter(({ path }) => existsSync(path)).map(({ path }) => path);
  if (existing.length > 0) {
    throw new UserError(
      `Nothing was written, because ${existing.join(' and ')} exists: edit it, or move it away and repeat the command.`,
    );
  }
  for (const { path, text } of files) {
    makeFolder(dirname(path));
    writeNewFile(path, text);
  }
  return [
    ...files.map(({ path }) => `Written: ${path}`),
    ...(pipeline === undefined ? [] : [pipeline.next]),
    ...(pipeline === undefined
      ? []
      : [
          'Add the package to the development dependencies of the project, so that the lockfile has its digest.',
        ]),
    `To see what a run would send: ${keyVariable}=… petstore-conformance certify --dry-run`,
  ];
}
