import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../kernel/basics/errors.ts';
import type { Host } from './host.ts';
import { isExecutable, lastLineOf, onPath, thisHost, toolCache } from './host.ts';
import type { K6Pin } from './install.ts';
import { goBuild, installRelease, k6Pin } from './install.ts';

/** How often long work is reported, in milliseconds. */
const INTERVAL_MS = 30_000;

/** Reports every half minute that work goes on. @param what the work, as `building k6 from source`. */
export async function withSignsOfLife<T>(
  what: string,
  report: (line: string) => void,
  work: Promise<T>,
): Promise<T> {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += INTERVAL_MS / 1000;
    report(`k6: still ${what} (${seconds} s)`);
  }, INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

type K6Source = 'K6_BIN' | 'PATH' | 'cache' | 'release' | 'build';

export interface Tried {
  readonly source: K6Source;
  readonly why: string;
}

/** A k6 of a usable version, or the sources that have none. */
export type K6 =
  | {
      readonly kind: 'found';
      readonly path: string;
      /** As `major.minor.patch`. */
      readonly version: string;
      readonly source: K6Source;
      readonly because: string;
    }
  | {
      readonly kind: 'missing';
      readonly tried: readonly Tried[];
      readonly advice: string;
    };

export type FoundK6 = K6 & { readonly kind: 'found' };

interface FindOptions {
  readonly host?: Host;
  readonly pin?: K6Pin;
  /** False searches without installing anything. */
  readonly install?: boolean;
  /** Is called with a line before each step that takes time. */
  readonly report?: (line: string) => void;
}

const MAJOR = 2;

/**
 * Finds k6 in `K6_BIN`, `PATH` or the tool cache; otherwise installs the pinned release or a build from source into the
 * tool cache. Each candidate must report its version before it is used.
 * @throws {UserError} when `K6_BIN` is set and does not name a k6 2.x: the user chose that one and no other.
 */
export async function findK6(options: FindOptions = {}): Promise<K6> {
  const { host = thisHost(), pin = k6Pin, install = true, report = () => undefined } = options;
  const binary = host.platform === 'win32' ? 'k6.exe' : 'k6';
  const search: Search = { host, pin, report, cached: join(toolCache(host), 'k6', pin.version, binary) };

  const chosen = host.env['K6_BIN'];
  if (chosen !== undefined && chosen !== '') return fromK6Bin(host, chosen);

  const tried: Tried[] = [];
  for (const [source, find] of [...PLACES, ...(install ? INSTALLERS : [])]) {
    const candidate = await find(search);
    if (typeof candidate !== 'string') return { kind: 'found', source, ...candidate };
    tried.push({ source, why: candidate });
  }
  const advice =
    'Install k6 2.x (https://grafana.com/docs/k6/latest/set-up/install-k6/) or Go 1.25, or name a k6 in K6_BIN.';
  return { kind: 'missing', tried, advice };
}

interface Search extends Required<Pick<FindOptions, 'host' | 'pin' | 'report'>> {
  /** The path of k6 in the tool cache; the file may not exist. */
  readonly cached: string;
}

/** A usable k6, or why there is none here. */
type Candidate = { readonly path: string; readonly version: string; readonly because: string } | string;

type Place = readonly [source: K6Source, find: (search: Search) => Promise<Candidate>];

const PLACES: readonly Place[] = [
  ['PATH', findInPath],
  [
    'cache',
    async ({ host, cached }) =>
      (await isExecutable(cached))
        ? check(host, cached, 'It is in the tool cache, from an earlier run.')
        : 'it is empty',
  ],
];

const INSTALLERS: readonly Place[] = [
  [
    'release',
    (search) =>
      install(search, installRelease, {
        what: `downloading the release ${search.pin.version}`,
        because: `It is the release ${search.pin.version} with the pinned SHA-256.`,
      }),
  ],
  [
    'build',
    (search) =>
      install(search, buildFromSource, {
        what: `building ${search.pin.version} from source`,
        hint: ' with Go: one to two minutes on two idle cores, more on busy ones. "load --install" does it before a run.',
        because: `It was built from the source of ${search.pin.version} with the checksums in go.sum.`,
      }),
  ],
];

const buildFromSource = (host: Host, { module, goVersion }: K6Pin, path: string): Promise<void> =>
  goBuild(host, { folder: fileURLToPath(new URL('.', import.meta.url)), package: module, goVersion, path });

async function findInPath({ host, report }: Search): Promise<Candidate> {
  const whys: string[] = [];
  for (const path of await onPath(host, ['k6'])) {
    const candidate = await check(host, path, `${path} is the first k6 ${MAJOR}.x in PATH.`);
    if (typeof candidate !== 'string') return candidate;
    whys.push(candidate);
    report(`k6: ignored: ${candidate}`);
  }
  return whys.length === 0 ? 'no k6 found' : whys.join('; ');
}

async function install(
  { host, pin, report, cached }: Search,
  get: (host: Host, pin: K6Pin, path: string) => Promise<void>,
  { what, hint = '', because }: { readonly what: string; readonly hint?: string; readonly because: string },
): Promise<Candidate> {
  report(`k6: ${what}${hint}`);
  const candidate = await withSignsOfLife(what, report, get(host, pin, cached)).then(
    () => check(host, cached, because),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (typeof candidate === 'string') report(`k6: this failed (${candidate})`);
  return candidate;
}

async function fromK6Bin(host: Host, path: string): Promise<K6> {
  const candidate = await check(host, path, 'K6_BIN names it.');
  if (typeof candidate !== 'string') return { kind: 'found', source: 'K6_BIN', ...candidate };
  throw new UserError(
    `K6_BIN must name a k6 ${MAJOR}.x: ${candidate}. Correct it, or unset it to search for k6.`,
  );
}

async function check(host: Host, path: string, because: string): Promise<Candidate> {
  const result = await host.run(path, ['version'], { timeoutSeconds: 20 });
  if (result.kind !== 'ended') return `${path} cannot be run (${result.why})`;
  // k6 calls itself by the name of its file.
  const version = /^\S.* v(\d+\.\d+\.\d+)\S* \(.*\bgo1/m.exec(result.stdout)?.[1];
  if (version === undefined) return `${path} does not report a k6 version (${lastLineOf(result)})`;
  if (Number.parseInt(version, 10) !== MAJOR) return `${path} is k6 ${version}, not ${MAJOR}.x`;
  return { path, version, because };
}

/**
 * The variables that every run of k6 has. k6 contacts no host but the target: no usage report, no download of
 * extensions. Go, and so k6, speaks HTTP/1.1 over TLS, too, as `certify` does; it would agree on HTTP/2.
 */
export const FIXED_VARIABLES = {
  K6_NO_USAGE_REPORT: 'true',
  K6_AUTO_EXTENSION_RESOLUTION: 'false',
  GODEBUG: 'http2client=0',
} as const;

/** The statistics of a trend that the dashboard and the rules read from Prometheus, as k6 names them; k6 alone would write p(99) only. */
export const TREND_STATS = 'p(50),p(90),p(95),p(99),max';
