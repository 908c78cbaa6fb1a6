import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
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

interface Pipeline {
  /** Where the file goes, in the folder of the project. */
  readonly path: string;
  readonly text: string;
  /** What a person has to do on the build server. */
  readonly next: string;
}

/** Where every pipeline publishes the results from. */
const FOLDER = 'conformance';
const JUNIT = `${FOLDER}/junit.xml`;

/** The packages of the project, this one among its development dependencies, as the lockfile has them. */
const INSTALL = 'npm ci';

/**
 * The command of every pipeline; its exit code decides. It fetches nothing by name beside a key. A push takes the quick
 * run: the day of a Free key has 16 complete ones.
 */
const CERTIFY = `${COMMAND} certify --out ${FOLDER}`;

/** The pipelines. @param key the environment variable with the key. */
export const pipelines: Readonly<Record<BuildServer, (key: string) => Pipeline>> = {
  github: (key) => ({
    path: '.github/workflows/petstore.yml',
    text: github(key),
    next: `Store the key as the secret ${key} of the repository.`,
  }),
  gitlab: (key) => ({
    path: 'petstore.gitlab-ci.yml',
    text: GITLAB,
    next: `Store the key as the masked CI/CD variable ${key}, and include the file in .gitlab-ci.yml: include: [{ local: petstore.gitlab-ci.yml }]. Then add a pipeline schedule, which makes the complete run.`,
  }),
  jenkins: (key) => ({
    path: 'petstore.Jenkinsfile',
    text: jenkins(key),
    next: `Store the key as the "Secret text" credential ${key}, and name the file as the script path of a pipeline.`,
  }),
};

const github = (key: string): string => `name: petstore-conformance
on:
  push:
    branches: [main]
  pull_request:
  # The complete run, once a day.
  schedule:
    - cron: '23 3 * * *'
  workflow_dispatch:

permissions:
  contents: read
  # For the comment.
  pull-requests: write

# Two runs at the same time would share the quota of the key.
concurrency: petstore-conformance

jobs:
  certify:
    # A pull request of a fork has no secrets.
    if: github.event_name != 'pull_request' || github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 22
      - run: ${INSTALL}
      - name: Certify
        env:
          ${key}: \${{ secrets.${key} }}
        run: ${CERTIFY} \${{ (github.event_name == 'push' || github.event_name == 'pull_request') && '--quick' || '' }}
      # One comment, which the next run replaces.
      - uses: ctrf-io/github-test-reporter@073c73100796cafcbfdc4722c7fa11c29730439e # v1.0.18
        if: always() && github.event_name == 'pull_request'
        env:
          GITHUB_TOKEN: \${{ github.token }}
        with:
          report-path: ${FOLDER}/ctrf.json
          summary-report: true
          failed-report: true
          pull-request: true
          overwrite-comment: true
          summary: false
          annotate: false
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        if: always()
        with:
          name: ${FOLDER}
          path: ${FOLDER}/
`;

const GITLAB = `petstore-conformance:
  image: node:22
  timeout: 20 minutes
  # Two runs at the same time would share the quota of the key.
  resource_group: petstore-conformance
  variables:
    SCOPE: --quick
  rules:
    # The complete run, from a pipeline schedule.
    - if: $CI_PIPELINE_SOURCE == "schedule"
      variables:
        SCOPE: ''
    - when: on_success
  script:
    - ${INSTALL}
    - ${CERTIFY} $SCOPE
  artifacts:
    when: always
    paths:
      - ${FOLDER}/
    reports:
      junit: ${JUNIT}
`;

const jenkins = (key: string): string => `pipeline {
  agent { docker { image 'node:22' } }
  options {
    timeout(time: 20, unit: 'MINUTES')
    // Two runs at the same time would share the quota of the key.
    disableConcurrentBuilds()
  }
  // The complete run, once a day.
  triggers { cron('H 3 * * *') }
  stages {
    stage('Install') {
      steps { sh '${INSTALL}' }
    }
    stage('Quick') {
      when { not { triggeredBy 'TimerTrigger' } }
      environment { ${key} = credentials('${key}') }
      steps { sh '${CERTIFY} --quick' }
    }
    stage('Complete') {
      when { triggeredBy 'TimerTrigger' }
      environment { ${key} = credentials('${key}') }
      steps { sh '${CERTIFY}' }
    }
  }
  post {
    always {
      junit '${JUNIT}'
      archiveArtifacts '${FOLDER}/**'
    }
  }
}
`;

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
  const pipeline = ci === 'none' ? undefined : pipelines[ci](keyVariable);
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

function variableName(text: string | undefined): string | undefined {
  if (text === undefined || /^PETSTORE_[A-Z0-9_]+$/.test(text)) return text;
  throw new UserError(
    '--api-key-env takes the NAME of an environment variable that begins with PETSTORE_, such as PETSTORE_STAGING_KEY (the given text is not repeated here, in case it is a key).',
  );
}
