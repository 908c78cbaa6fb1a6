import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLineOf, thisHost } from '../../../load/k6/host.ts';
import type { ClientCertificate } from '../../clients/certify.ts';
import type { Software } from '../provide.ts';

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
    sources: 'libraries/node',
    steps: [['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund']],
  },
  python: {
    sources: 'libraries/python',
    steps: [
      ['python3', '-m', 'venv', 'env'],
      ['env/bin/python', '-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt'],
    ],
  },
  go: { sources: 'libraries/go', steps: [['go', 'build', '-o', 'bin/', './...']] },
  java: {
    sources: 'libraries/java',
    steps: [
      ['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=jars'],
      ['sh', '-c', 'javac -cp "jars/*" -d classes *.java'],
    ],
  },
  sh: { sources: 'libraries/sh', steps: [] },
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

const node = { language: 'node', shipped: '' } as const;
const python = { language: 'python', shipped: '' } as const;
const go = { language: 'go', shipped: '' } as const;
const java = { language: 'java', shipped: '' } as const;
const sh = { language: 'sh', shipped: '', packages: [] } as const;

/** Every library, in the order of the table. */
export const subjects: readonly LibrarySubject[] = [
  { ...node, id: 'fetch', name: 'fetch', packages: [], program: 'fetch', shipped: 'does not retry' },
  { ...node, id: 'undici', name: 'undici RetryAgent', packages: ['undici'], program: 'undici' },
  { ...node, id: 'got', name: 'got', packages: ['got'], program: 'got' },
  { ...node, id: 'ky', name: 'ky', packages: ['ky'], program: 'ky' },
  {
    ...node,
    id: 'axios-retry',
    name: 'axios-retry',
    packages: ['axios-retry', 'axios'],
    program: 'axios-retry',
  },
  {
    ...node,
    id: 'retry-axios',
    name: 'retry-axios',
    packages: ['retry-axios', 'axios'],
    program: 'retry-axios',
  },
  {
    ...node,
    id: 'p-retry',
    name: 'p-retry',
    packages: ['p-retry'],
    program: 'p-retry',
    shipped: 'around fetch',
  },
  {
    ...node,
    id: 'fetch-retry',
    name: 'fetch-retry',
    packages: ['fetch-retry'],
    program: 'fetch-retry',
    shipped: 'with retryOn: [429]',
  },
  { ...node, id: 'ofetch', name: 'ofetch', packages: ['ofetch'], program: 'ofetch' },
  {
    ...python,
    id: 'requests',
    name: 'requests',
    packages: ['requests', 'urllib3'],
    program: 'with_requests',
    shipped: 'with max_retries=5',
  },
  { ...python, id: 'urllib3', name: 'urllib3', packages: ['urllib3'], program: 'with_urllib3' },
  {
    ...python,
    id: 'httpx',
    name: 'httpx with httpx-retries',
    packages: ['httpx', 'httpx-retries'],
    program: 'with_httpx',
  },
  {
    ...python,
    id: 'tenacity',
    name: 'tenacity',
    packages: ['tenacity', 'requests'],
    program: 'with_tenacity',
    shipped: '@retry around requests',
  },
  {
    ...python,
    id: 'backoff',
    name: 'backoff',
    packages: ['backoff', 'requests'],
    program: 'with_backoff',
    shipped: 'on_predicate(expo) around requests',
  },
  {
    ...python,
    id: 'aiohttp',
    name: 'aiohttp with aiohttp-retry',
    packages: ['aiohttp', 'aiohttp-retry'],
    program: 'with_aiohttp',
    shipped: 'with statuses={429}',
  },
  { ...go, id: 'net-http', name: 'net/http', packages: [], program: 'nethttp', shipped: 'does not retry' },
  {
    ...go,
    id: 'go-retryablehttp',
    name: 'go-retryablehttp',
    packages: ['github.com/hashicorp/go-retryablehttp'],
    program: 'retryablehttp',
  },
  {
    ...go,
    id: 'cenkalti-backoff',
    name: 'cenkalti/backoff',
    packages: ['github.com/cenkalti/backoff/v5'],
    program: 'cenkalti',
    shipped: 'with RetryAfter for seconds, as documented',
  },
  {
    ...go,
    id: 'resty',
    name: 'resty',
    packages: ['github.com/go-resty/resty/v2'],
    program: 'resty',
    shipped: 'with a condition for 429 and 3 retries',
  },
  { ...java, id: 'okhttp', name: 'OkHttp', packages: ['okhttp'], program: 'WithOkHttp' },
  {
    ...java,
    id: 'resilience4j',
    name: 'resilience4j-retry',
    packages: ['resilience4j-retry'],
    program: 'WithResilience4j',
    shipped: 'with a condition for 429, around java.net.http',
  },
  {
    ...java,
    id: 'apache-httpclient',
    name: 'Apache HttpClient',
    packages: ['httpclient5'],
    program: 'WithApache',
  },
  { ...sh, id: 'curl', name: 'curl --retry', program: 'curl', shipped: 'with --retry 5' },
  { ...sh, id: 'wget', name: 'wget', program: 'wget', shipped: 'with --retry-on-http-error=429' },
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

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Where a language pins its libraries, and what stands before the version of one. */
const PINS: Readonly<
  Record<Exclude<LibraryLanguage, 'sh'>, { file: string; before: (name: string) => string }>
> = {
  node: { file: './node/package.json', before: (name) => `"${name}": "` },
  python: { file: './python/requirements.txt', before: (name) => `\n${name}==` },
  go: { file: './go/go.mod', before: (name) => `\t${name} v` },
  java: { file: './java/pom.xml', before: (name) => `<artifactId>${name}</artifactId><version>` },
};

/** The version that a lock file pins. @throws {Error} when it pins none. */
export function pinnedVersion(language: Exclude<LibraryLanguage, 'sh'>, name: string): string {
  const { file, before } = PINS[language];
  const text = read(file);
  const at = text.indexOf(before(name));
  const version = /^\d[\w.]*/.exec(text.slice(at + before(name).length))?.[0];
  if (at < 0 || version === undefined) throw new Error(`${file} pins no version of ${name}.`);
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
  const named = packages.map((name) => [shortName(name), pinnedVersion(language, name)] as const);
  return named.length === 1 ? (named[0]?.[1] ?? runtime) : named.map((pair) => pair.join(' ')).join(', ');
}

const shortName = (name: string): string => name.split('/').at(-1) ?? name;
