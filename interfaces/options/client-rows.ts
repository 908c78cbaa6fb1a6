import type { Row } from './row.ts';

/** How a client is started, or attached, and where its service listens. */
export const clientRows = {
  command: {
    kind: 'words',
    group: 'client',
    sentence: 'program of the client and its arguments, started in the current folder',
    takers: ['certify-client'],
    file: ['certify-client.command'],
    rivals: ['serve', 'template'],
  },
  template: {
    kind: 'choice',
    takes: 'language',
    choices: ['node', 'python', 'go', 'java', 'sh'],
    group: 'client',
    sentence: 'print a client that conforms, to start from',
    takers: ['certify-client'],
  },
  serve: {
    kind: 'switch',
    group: 'client',
    sentence: 'start no client: wait for one that you attach, until Ctrl-C',
    takers: ['certify-client'],
  },
  jobs: {
    kind: 'number',
    takes: 'n',
    most: 64,
    group: 'client',
    sentence: 'how many clients run at a time (default: 4 for each core)',
    takers: ['certify-client'],
    file: ['certify-client.jobs'],
    rivals: ['serve'],
  },
  seconds: {
    kind: 'number',
    takes: 'n',
    most: 3600,
    group: 'client',
    sentence: 'end the run after n seconds; what was not tested by then is inconclusive',
    takers: ['certify-client'],
    file: ['certify-client.seconds'],
    rivals: ['serve'],
  },
  remote: {
    kind: 'switch',
    group: 'client',
    sentence: 'the client runs on another host, whose clock and network get an allowance',
    takers: ['certify-client', 'watch'],
  },
  listen: {
    kind: 'text',
    takes: 'host[:port]',
    group: 'client',
    sentence: 'address to listen at (default: 127.0.0.1, and every address with --remote)',
    takers: ['certify-client', 'watch'],
  },
} as const satisfies Readonly<Record<string, Row>>;
