import { SUITE } from '../../suites/model/suite.ts';

/** The build servers that there is a pipeline for. */
export const BUILD_SERVERS = ['github', 'gitlab', 'jenkins'] as const;

/** A build server that there is a pipeline for. */
export type BuildServer = (typeof BUILD_SERVERS)[number];

/** A file that runs the certification in a pipeline. */
export interface Pipeline {
  /** Where the file goes, in the folder of the project. */
  readonly path: string;
  readonly text: string;
  /** What a person has to do on the build server. */
  readonly next: string;
}

/** The command of every pipeline. Its exit code decides. */
const CERTIFY = `npx --yes ${SUITE.name}@${SUITE.version} certify --out conformance`;

/** Folder and file names in which every pipeline publishes the results. */
const RESULTS = { folder: 'conformance', junit: 'conformance/junit.xml' } as const;

/** The pipeline of a build server. @param keyVariable the environment variable with the key. */
export function pipelineFor(server: BuildServer, keyVariable: string): Pipeline {
  switch (server) {
    case 'github':
      return {
        path: '.github/workflows/petstore.yml',
        text: github(keyVariable),
        next: `Store the key as the secret ${keyVariable} of the repository.`,
      };
    case 'gitlab':
      return {
        path: 'petstore.gitlab-ci.yml',
        text: gitlab(),
        next: `Store the key as the masked CI/CD variable ${keyVariable}, and include the file in .gitlab-ci.yml: include: [{ local: petstore.gitlab-ci.yml }]`,
      };
    case 'jenkins':
      return {
        path: 'petstore.Jenkinsfile',
        text: jenkins(keyVariable),
        next: `Store the key as the "Secret text" credential ${keyVariable}, and name the file as the script path of a pipeline.`,
      };
  }
}

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
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - name: Certify
        env:
          ${key}: \${{ secrets.${key} }}
        run: ${CERTIFY}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: ${RESULTS.folder}
          path: ${RESULTS.folder}/
`;

const gitlab = (): string => `petstore-conformance:
  image: node:22
  timeout: 20 minutes
  # Two runs at the same time would share the quota of the key.
  resource_group: petstore-conformance
  script:
    - ${CERTIFY}
  artifacts:
    when: always
    paths:
      - ${RESULTS.folder}/
    reports:
      junit: ${RESULTS.junit}
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
        withCredentials([string(credentialsId: '${key}', variable: '${key}')]) {
          sh '${CERTIFY}'
        }
      }
    }
  }
  post {
    always {
      junit '${RESULTS.junit}'
      archiveArtifacts '${RESULTS.folder}/**'
    }
  }
}
`;
