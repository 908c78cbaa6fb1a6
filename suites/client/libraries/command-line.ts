import type { ClientLibrary } from './library.ts';

export const commandLineTools: readonly ClientLibrary[] = [
  {
    id: 'curl',
    name: 'curl --retry',
    userAgent: 'curl/',
    version: '7.88.1',
    fix: 'No option of curl adds a growing delay to Retry-After. Instead of --retry, write the loop of the sh template (certify-client --template sh), which runs `curl` once for each attempt and waits before the next call, too.',
  },
  {
    id: 'wget',
    name: 'wget',
    userAgent: 'Wget/',
    version: '1.21.3',
    fix: 'wget does not read Retry-After, and no option changes that. Use the loop of the sh template (certify-client --template sh), which runs `curl` once for each attempt.',
  },
];
