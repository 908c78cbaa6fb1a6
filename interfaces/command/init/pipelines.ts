/** A build server that there is a pipeline for. */
export type BuildServer = 'github' | 'gitlab' | 'jenkins';

/** A file that runs the certification in a pipeline. */
export interface Pipeline {
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

/** The command of every pipeline; its exit code decides. It fetches nothing by name beside a key. */
const CERTIFY = `npx --no-install petstore-conformance certify --out ${FOLDER}`;

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
    next: `Store the key as the masked CI/CD variable ${key}, and include the file in .gitlab-ci.yml: include: [{ local: petstore.gitlab-ci.yml }]`,
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
  workflow_dispatch:

permissions:
  contents: read

# Two runs at the same time would share the quota of the key.
concurrency: petstore-conformance

jobs:
  certify:
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
        run: ${CERTIFY}
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
  script:
    - ${INSTALL}
    - ${CERTIFY}
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
  stages {
    stage('Certify') {
      steps {
        sh '${INSTALL}'
        withCredentials([string(credentialsId: '${key}', variable: '${key}')]) {
          sh '${CERTIFY}'
        }
      }
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
