import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLineOf, thisHost } from '../../../load/k6/host.ts';
import type { Software } from '../../../tools/provide.ts';
import { PYTHON_STEPS } from '../../../tools/provide.ts';
import type { ClientCertificate } from '../../clients/certify.ts';

/** How a library is used: as it is shipped, or configured so that the client conforms. */
export const MODES = ['shipped', 'configured'] as const;
export type Mode = (typeof MODES)[number];

/** What was measured of a library in one mode. */
export interface LibraryResult extends ClientCertificate {
  /** The version of the language, or of the tool itself. */
  readonly runtime: string;
}

/** The programs of each language, and what installs their libraries, pinned by its lock file; `sh` has command-line tools. */
export const programs = {
  node: {
    sources: 'evaluation/third-party/libraries/node',
    steps: [['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund']],
  },
  python: { sources: 'evaluation/third-party/libraries/python', steps: PYTHON_STEPS },
  go: { sources: 'evaluation/third-party/libraries/go', steps: [['go', 'build', '-o', 'bin/', './...']] },
  java: {
    sources: 'evaluation/third-party/libraries/java',
    steps: [
      ['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=jars'],
      ['sh', '-c', 'javac -cp "jars/*" -d classes *.java'],
    ],
  },
  sh: { sources: 'evaluation/third-party/libraries/sh', steps: [] },
} as const satisfies Readonly<Record<string, Software>>;

type LibraryLanguage = keyof typeof programs;

/** A library that is tested as a client. */
export interface LibrarySubject {
  /** Its id in `suites/client/libraries`. */
  readonly id: string;
  readonly language: LibraryLanguage;
  /** Its name for a person. */
  readonly name: string;
  /** The packages whose versions decide its behaviour, as the lock file names them; none where it comes with the language. */
  readonly packages: readonly string[];
  /** What "as shipped" is, where the library has to be configured to retry 429 at all; empty otherwise. */
  readonly shipped: string;
  /** The program without its ending, or the class in Java. */
  readonly program: string;
}

/** A library whose name, package and program are called like its id, but for what is stated. */
const library = (
  language: LibraryLanguage,
  id: string,
  more: Partial<LibrarySubject> = {},
): LibrarySubject => ({
  ...{ language, id, name: id, packages: [id], shipped: '' },
  program: language === 'python' ? `with_${id}` : id,
  ...more,
});

/** Every library, in the order of the table. */
export const subjects: readonly LibrarySubject[] = [
  library('node', 'fetch', { packages: [], shipped: 'does not retry' }),
  library('node', 'undici', { name: 'undici RetryAgent' }),
  library('node', 'got'),
  library('node', 'ky'),
  library('node', 'axios-retry', { packages: ['axios-retry', 'axios'] }),
  library('node', 'retry-axios', { packages: ['retry-axios', 'axios'] }),
  library('node', 'p-retry', { shipped: 'around fetch' }),
  library('node', 'fetch-retry', { shipped: 'with retryOn: [429]' }),
  library('node', 'ofetch'),
  library('python', 'requests', { packages: ['requests', 'urllib3'], shipped: 'with max_retries=5' }),
  library('python', 'urllib3'),
  library('python', 'httpx', { name: 'httpx with httpx-retries', packages: ['httpx', 'httpx-retries'] }),
  library('python', 'tenacity', { packages: ['tenacity', 'requests'], shipped: '@retry around requests' }),
  library('python', 'backoff', {
    packages: ['backoff', 'requests'],
    shipped: 'on_predicate(expo) around requests',
  }),
  library('python', 'aiohttp', {
    name: 'aiohttp with aiohttp-retry',
    packages: ['aiohttp', 'aiohttp-retry'],
    shipped: 'with statuses={429}',
  }),
  library('go', 'net-http', {
    name: 'net/http',
    program: 'nethttp',
    packages: [],
    shipped: 'does not retry',
  }),
  library('go', 'go-retryablehttp', {
    program: 'retryablehttp',
    packages: ['github.com/hashicorp/go-retryablehttp'],
  }),
  library('go', 'cenkalti-backoff', {
    name: 'cenkalti/backoff',
    program: 'cenkalti',
    packages: ['github.com/cenkalti/backoff/v5'],
    shipped: 'with RetryAfter for seconds, as documented',
  }),
  library('go', 'resty', {
    packages: ['github.com/go-resty/resty/v2'],
    shipped: 'with a condition for 429 and 3 retries',
  }),
  library('java', 'okhttp', { name: 'OkHttp', program: 'WithOkHttp' }),
  library('java', 'resilience4j', {
    name: 'resilience4j-retry',
    program: 'WithResilience4j',
    packages: ['resilience4j-retry'],
    shipped: 'with a condition for 429, around java.net.http',
  }),
  library('java', 'apache-httpclient', {
    name: 'Apache HttpClient',
    program: 'WithApache',
    packages: ['httpclient5'],
  }),
  library('sh', 'curl', { name: 'curl --retry', packages: [], shipped: 'with --retry 5' }),
  library('sh', 'wget', { packages: [], shipped: 'with --retry-on-http-error=429' }),
];

const template = fileURLToPath(new URL('../../../suites/client/templates/client.sh', import.meta.url));

/** The command that starts the program of a library. No option sets curl or wget right: their place takes the template. */
export function startOf(
  { language, program }: LibrarySubject,
  mode: Mode,
  folder: string,
): readonly string[] {
  const at = (...names: readonly string[]) => join(folder, ...names);
  switch (language) {
    case 'node':
      return [process.execPath, at(`${program}.mjs`), mode];
    case 'python':
      return [at('env', 'bin', 'python'), at(`${program}.py`), mode];
    case 'go':
      return [at('bin', program), mode];
    case 'java':
      return ['java', '-cp', `${at('classes')}:${at('jars')}/*`, program, mode];
    case 'sh':
      return ['sh', mode === 'shipped' ? at(`${program}.sh`) : template];
  }
}

/** Where a language pins its libraries. */
const PINS = {
  node: 'package.json',
  python: 'requirements.txt',
  go: 'go.mod',
  java: 'pom.xml',
} as const;

/** The version that a lock file pins behind the name of a library. @throws {Error} when it pins none. */
export function pinnedVersion(language: keyof typeof PINS, name: string): string {
  const file = new URL(`${language}/${PINS[language]}`, import.meta.url);
  const [, version] =
    new RegExp(`["\\s>]${name}(?:": "|==| v|</artifactId><version>)(\\d[\\w.]*)`).exec(
      readFileSync(file, 'utf8'),
    ) ?? [];
  if (version === undefined) throw new Error(`${file} pins no version of ${name}.`);
  return version;
}

const RUNTIMES: Readonly<Record<LibraryLanguage, (program: string) => readonly [string, string]>> = {
  node: () => [process.execPath, '--version'],
  python: () => ['python3', '--version'],
  go: () => ['go', 'version'],
  java: () => ['java', '-version'],
  sh: (program) => [program, '--version'],
};

/** The version of the language, or of the tool itself: the first number of the first line that it prints. */
export async function runtimeVersion({ language, program }: LibrarySubject): Promise<string> {
  const [command, option] = RUNTIMES[language](program);
  const printed = await thisHost().run(command, [option], { timeoutSeconds: 30 });
  const text = printed.kind === 'ended' ? `${printed.stdout}${printed.stderr}` : lastLineOf(printed);
  return /\d+\.\d+(\.\d+)?/.exec(text)?.[0] ?? 'unknown';
}

/** The versions that decide the behaviour of a library: `axios-retry 4.5.0, axios 1.21.1`. */
export function versionsOf({ language, packages }: LibrarySubject, runtime: string): string {
  if (language === 'sh' || packages.length === 0) return runtime;
  const [first = '', ...others] = packages;
  if (others.length === 0) return pinnedVersion(language, first);
  return packages.map((name) => `${name} ${pinnedVersion(language, name)}`).join(', ');
}
