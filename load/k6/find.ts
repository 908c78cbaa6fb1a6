import { join } from 'node:path';
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
export class K6BinError extends Error {
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

  const named = host.env['K6_BIN'];
  if (named !== undefined && named !== '') return k6Bin(host, named);

  const tried: Tried[] = [];
  const giveUp = (source: K6Source, why: string) => tried.push({ source, why });

  const paths = await onPath(host, ['k6']);
  if (paths.length === 0) giveUp('PATH', 'no k6 in it');
  for (const path of paths) {
    const asked = await ask(host, path);
    if (asked.kind === 'usable')
      return found(path, asked.version, 'PATH', `${path} is the first k6 2.x in PATH.`);
    giveUp('PATH', asked.why);
    say(`passing over ${asked.why}`);
  }

  const cached = join(toolCache(host), 'k6', pin.version, host.platform === 'win32' ? 'k6.exe' : 'k6');
  const kept = (await isExecutable(cached)) ? await ask(host, cached) : unusable('nothing kept yet');
  if (kept.kind === 'usable')
    return found(cached, kept.version, 'cache', 'An earlier run put it into the tool cache.');
  giveUp('cache', kept.why);

  for (const { source, doing, because, get } of installers) {
    if (!install) break;
    say(`k6: ${doing(pin)}`);
    const got = await attempt(() => get(host, pin, cached));
    const asked = got === undefined ? await ask(host, cached) : unusable(got);
    if (asked.kind === 'usable') return found(cached, asked.version, source, because(pin));
    giveUp(source, asked.why);
    say(`k6: that did not work (${asked.why})`);
  }
  return { kind: 'missing', tried, advice: ADVICE };
}

interface Installer {
  readonly source: K6Source;
  readonly doing: (pin: Pin) => string;
  readonly because: (pin: Pin) => string;
  readonly get: (host: Host, pin: Pin, path: string) => Promise<void>;
}

const installers: readonly Installer[] = [
  {
    source: 'release',
    doing: (pin) => `downloading the release ${pin.version}`,
    because: (pin) => `It is the release ${pin.version}, and its SHA-256 is the pinned one.`,
    get: installRelease,
  },
  {
    source: 'build',
    doing: (pin) => `building ${pin.version} from source with Go, one to two minutes on two cores`,
    because: (pin) => `It was built from the source of ${pin.version} that go.sum pins.`,
    get: buildFromSource,
  },
];

function found(path: string, version: string, source: K6Source, because: string): K6 {
  return { kind: 'found', path, version, source, because };
}

async function k6Bin(host: Host, path: string): Promise<K6> {
  const asked = await ask(host, path);
  if (asked.kind === 'unusable') {
    throw new K6BinError(
      `K6_BIN must name a k6 ${MAJOR}.x: ${asked.why}. Mend it, or unset it to let k6 be found.`,
    );
  }
  return found(path, asked.version, 'K6_BIN', 'K6_BIN names it.');
}

type Asked =
  | { readonly kind: 'usable'; readonly version: string }
  | { readonly kind: 'unusable'; readonly why: string };

function unusable(why: string): Asked {
  return { kind: 'unusable', why };
}

async function ask(host: Host, path: string): Promise<Asked> {
  const answer = await host.run(path, ['version'], { timeoutSeconds: 20 });
  if (answer.kind !== 'ended') return unusable(`${path} cannot be run (${answer.why})`);
  const version = /^k6(?:\.exe)? v(\d+\.\d+\.\d+)/m.exec(answer.stdout)?.[1];
  if (version === undefined) return unusable(`${path} does not say a version of k6 (${lastWords(answer)})`);
  if (Number.parseInt(version, 10) !== MAJOR) return unusable(`${path} is k6 ${version}, not ${MAJOR}.x`);
  return { kind: 'usable', version };
}

/** What went wrong, or undefined. */
async function attempt(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
