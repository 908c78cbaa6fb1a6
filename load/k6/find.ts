import { join } from 'node:path';
import { UserError } from '../../words/user-error.ts';
import type { Host } from './host.ts';
import { isExecutable, lastWords, onPath, thisHost } from './host.ts';
import type { Pin } from './pin.ts';
import { pin as ourPin } from './pin.ts';
import { installRelease } from './release.ts';
import { buildFromSource } from './source.ts';
import { toolCache } from './tool-cache.ts';

/** Where a k6 can come from, in the order in which they are tried. */
export type K6Source = 'K6_BIN' | 'PATH' | 'cache' | 'release' | 'build';

/** A place that was tried in vain, and why, as a clause for a person. */
export interface Tried {
  readonly source: K6Source;
  readonly why: string;
}

/** A k6 that answered with a version this project can work with, or the places where none was. */
export type K6 =
  | {
      readonly kind: 'found';
      readonly path: string;
      /** As `major.minor.patch`. */
      readonly version: string;
      readonly source: K6Source;
      /** One sentence: why this one. */
      readonly because: string;
    }
  | {
      readonly kind: 'missing';
      readonly tried: readonly Tried[];
      /** One line: what to do. */
      readonly advice: string;
    };

/** `K6_BIN` names something that is not a k6 of the right age; the message says what. */
export class K6BinError extends UserError {
  override readonly name = 'K6BinError';
}

/** How to look for k6. All of it has a default. */
export interface FindOptions {
  readonly host?: Host;
  readonly pin?: Pin;
  /** False looks without installing anything. */
  readonly install?: boolean;
  /** Hears what takes time, before it begins, one line each. */
  readonly say?: (line: string) => void;
}

const MAJOR = 2;
const ADVICE =
  'Install k6 2.x (https://grafana.com/docs/k6/latest/set-up/install-k6/) or Go 1.25, or name a k6 in K6_BIN.';

/**
 * Finds k6: `K6_BIN`, then `PATH`, then the tool cache, then the pinned release,
 * then a build from source; the last two put it into the tool cache. Each is
 * asked for its version before it is trusted.
 * @throws {K6BinError} when `K6_BIN` is set and does not name a k6 2.x: the user asked for that one and no other.
 */
export async function findK6(options: FindOptions = {}): Promise<K6> {
  const { host = thisHost(), pin = ourPin, install = true, say = () => undefined } = options;
  const binary = host.platform === 'win32' ? 'k6.exe' : 'k6';
  const search: Search = { host, pin, say, kept: join(toolCache(host), 'k6', pin.version, binary) };

  const named = host.env['K6_BIN'];
  if (named !== undefined && named !== '') return k6Bin(host, named);

  const tried: Tried[] = [];
  for (const { source, look } of install ? [...places, ...installers] : places) {
    const looked = await look(search);
    if (looked.kind === 'usable') return found(source, looked);
    tried.push({ source, why: looked.why });
  }
  return { kind: 'missing', tried, advice: ADVICE };
}

interface Search {
  readonly host: Host;
  readonly pin: Pin;
  readonly say: (line: string) => void;
  /** Where the tool cache keeps k6, there or not. */
  readonly kept: string;
}

/** A file that was asked whether it is a k6 this project can work with. */
type Asked =
  | { readonly kind: 'usable'; readonly path: string; readonly version: string; readonly because: string }
  | { readonly kind: 'unusable'; readonly why: string };

interface Place {
  readonly source: K6Source;
  readonly look: (search: Search) => Promise<Asked>;
}

const places: readonly Place[] = [
  { source: 'PATH', look: lookInPath },
  {
    source: 'cache',
    look: async ({ host, kept }) => {
      if (!(await isExecutable(kept))) return unusable('nothing kept yet');
      return send(host, kept, 'An earlier run put it into the tool cache.');
    },
  },
];

const installers: readonly Place[] = [
  {
    source: 'release',
    look: (search) => {
      search.say(`k6: downloading the release ${search.pin.version}`);
      const because = `It is the release ${search.pin.version}, and its SHA-256 is the pinned one.`;
      return install(search, installRelease, because);
    },
  },
  {
    source: 'build',
    look: (search) => {
      search.say(`k6: building ${search.pin.version} from source with Go, one to two minutes on two cores`);
      const because = `It was built from the source of ${search.pin.version} that go.sum pins.`;
      return install(search, buildFromSource, because);
    },
  },
];

async function lookInPath({ host, say }: Search): Promise<Asked> {
  const whys: string[] = [];
  for (const path of await onPath(host, ['k6'])) {
    const asked = await send(host, path, `${path} is the first k6 ${MAJOR}.x in PATH.`);
    if (asked.kind === 'usable') return asked;
    whys.push(asked.why);
    say(`k6: passing over ${asked.why}`);
  }
  return unusable(whys.length === 0 ? 'no k6 in it' : whys.join('; '));
}

async function install(
  { host, pin, say, kept }: Search,
  get: (host: Host, pin: Pin, path: string) => Promise<void>,
  because: string,
): Promise<Asked> {
  const asked = await get(host, pin, kept).then(
    () => send(host, kept, because),
    (error: unknown) => unusable(error instanceof Error ? error.message : String(error)),
  );
  if (asked.kind === 'unusable') say(`k6: that did not work (${asked.why})`);
  return asked;
}

async function k6Bin(host: Host, path: string): Promise<K6> {
  const asked = await send(host, path, 'K6_BIN names it.');
  if (asked.kind === 'usable') return found('K6_BIN', asked);
  throw new K6BinError(
    `K6_BIN must name a k6 ${MAJOR}.x: ${asked.why}. Mend it, or unset it to let k6 be found.`,
  );
}

function found(source: K6Source, { path, version, because }: Asked & { readonly kind: 'usable' }): K6 {
  return { kind: 'found', path, version, source, because };
}

async function send(host: Host, path: string, because: string): Promise<Asked> {
  const answer = await host.run(path, ['version'], { timeoutSeconds: 20 });
  if (answer.kind !== 'ended') return unusable(`${path} cannot be run (${answer.why})`);
  const version = /^k6(?:\.exe)? v(\d+\.\d+\.\d+)/m.exec(answer.stdout)?.[1];
  if (version === undefined) return unusable(`${path} does not say a version of k6 (${lastWords(answer)})`);
  if (Number.parseInt(version, 10) !== MAJOR) return unusable(`${path} is k6 ${version}, not ${MAJOR}.x`);
  return { kind: 'usable', path, version, because };
}

function unusable(why: string): Asked {
  return { kind: 'unusable', why };
}
