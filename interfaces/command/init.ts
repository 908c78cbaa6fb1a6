import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { COMMAND } from '../../kernel/basics/text.ts';
import { makeOutputFolder } from '../../kernel/basics/user-files.ts';
import { readBaseUrl } from '../../suites/service/inputs/base-url.ts';
import { CONFIG_FILE } from '../options/config-file/file-for.ts';
import { chooseTarget, readConfig } from '../options/config-file/read-config.ts';
import { entryOf } from '../options/config-file/read-options.ts';
import { options } from '../options/table.ts';
import { writeNewFile } from './folder.ts';

export type BuildServer = 'github' | 'gitlab' | 'jenkins';

/** Where the pipeline of a build server goes, in the folder of the project, and what a person has to do there besides. */
const PIPELINES: Readonly<Record<BuildServer, readonly [path: string, next: (key: string) => string]>> = {
  github: [
    '.github/workflows/petstore.yml',
    (key) => `Store the key as the secret ${key} of the repository.`,
  ],
  gitlab: [
    'petstore.gitlab-ci.yml',
    (key) =>
      `Store the key as the masked CI/CD variable ${key}, and include the file in .gitlab-ci.yml: include: [{ local: petstore.gitlab-ci.yml }]. Then add a pipeline schedule, which makes the complete run.`,
  ],
  jenkins: [
    'petstore.Jenkinsfile',
    (key) =>
      `Store the key as the "Secret text" credential ${key}, and name the file as the script path of a pipeline.`,
  ],
};

const USUAL_KEY = options.apiKeyEnv.usual ?? '';

/**
 * The pipeline of a build server, which fetches nothing by name beside a key. A push takes the quick run: the day of a Free
 * key has 16 complete ones.
 * @param key the environment variable with the key, in place of the usual one.
 */
export function pipelineFor(server: BuildServer, key: string) {
  const [path, next] = PIPELINES[server];
  const usual = readFileSync(new URL(`./pipelines/${basename(path)}`, import.meta.url), 'utf8');
  return { path, text: usual.replaceAll(USUAL_KEY, key), next: next(key) };
}

export interface InitOptions {
  /** The base address of the service; undefined where a configuration exists. */
  readonly target?: string;
  readonly plan: string;
  /** The environment variable with the key, where the user names one. */
  readonly apiKeyEnv?: string;
  /** The build server whose pipeline is written beside the configuration. */
  readonly ci: BuildServer | 'none';
}

/** The schema in the installed package, with which editors complete the file. */
const SCHEMA = './node_modules/petstore-conformance/dist/interfaces/options/config-file/config.schema.json';

/**
 * Writes a configuration file into the current folder, and a pipeline beside it; without an address, the pipeline
 * alone, for the configuration that exists. Either every file is new, or nothing is written.
 * @returns what was written and what comes next, as lines.
 * @throws {UserError} when an option is wrong, or a file exists or cannot be written.
 */
export function init({ target: url, plan, apiKeyEnv, ci }: InitOptions): readonly string[] {
  if (url !== undefined) readBaseUrl(url, '--target');
  const keyVariable =
    variableName(apiKeyEnv) ?? (url === undefined ? keyInConfiguration() : undefined) ?? USUAL_KEY;
  const pipeline = ci === 'none' ? undefined : pipelineFor(ci, keyVariable);
  const config = {
    $schema: SCHEMA,
    targets: { service: { url, plan, keys: { key: keyVariable } } },
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
    makeOutputFolder(dirname(path), '--out');
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
    `To see what a run would send: ${COMMAND} certify --dry-run`,
  ];
}

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

function variableName(text: string | undefined): string | undefined {
  if (text === undefined || /^PETSTORE_[A-Z0-9_]+$/.test(text)) return text;
  throw new UserError(
    '--api-key-env takes the NAME of an environment variable that begins with PETSTORE_, such as PETSTORE_STAGING_KEY (the given text is not repeated here, in case it is a key).',
  );
}
