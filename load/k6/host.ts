import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { fileTrouble, thisUserPlace, userFolder } from '../../kernel/basics/user-files.ts';

/** Downloads a file over HTTPS; rejects with an Error whose message is a clause for a person. */
type Download = (
  url: string,
  limits: Readonly<Record<'connectSeconds' | 'totalSeconds' | 'bytes', number>>,
) => Promise<Uint8Array>;

/** Downloads through the user's proxy (`HTTPS_PROXY`, `NO_PROXY`), within limits of time and size. */
export const download: Download = async (url, limits) => {
  // Most runs download nothing, so they do not load the HTTP client.
  const {
    default: { EnvHttpProxyAgent, fetch },
  } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({ connect: { timeout: limits.connectSeconds * 1000 } });
  try {
    const signal = AbortSignal.timeout(limits.totalSeconds * 1000);
    const response = await fetch(url, { dispatcher, signal });
    if (!response.ok || response.body === null) throw new Error(`the response was ${response.status}`);
    return await collect(response.body, limits.bytes);
  } catch (error) {
    throw new Error(`${new URL(url).host}: ${reasonOf(error)}`, { cause: error });
  } finally {
    await dispatcher.destroy();
  }
};

async function collect(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw new Error(`the file has more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The message of the innermost cause: `fetch` wraps the actual error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message;
}

/** How a command ended. `not started` and `timed out` carry a reason, in a clause for a person. */
export type CommandResult =
  | { readonly kind: 'ended'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'not started' | 'timed out'; readonly why: string };

export interface RunOptions {
  readonly timeoutSeconds: number;
  readonly cwd?: string;
  /** Is added to the environment of the host. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Processor, in the words of Node (`x64`, `arm64`). */
  readonly arch: string;
  /** Home folder of the user, also where the environment does not name it. */
  readonly home: string;
  /** True where the user is root and may install system packages. */
  readonly root: boolean;
  readonly run: (command: string, args: readonly string[], options: RunOptions) => Promise<CommandResult>;
  readonly download: Download;
}

export function thisHost(): Host {
  const place = thisUserPlace();
  return {
    ...place,
    arch: process.arch,
    root: process.getuid?.() === 0,
    run: (command, args, options) => run({ ...process.env, HOME: place.home }, command, args, options),
    download,
  };
}

/** Runs a command. @param hostEnv includes HOME, without which build tools fail. */
const run = (
  hostEnv: NodeJS.ProcessEnv,
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<CommandResult> =>
  new Promise((done) => {
    const child = execFile(
      command,
      [...args],
      {
        env: { ...hostEnv, ...options.env },
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        timeout: options.timeoutSeconds * 1000,
        killSignal: 'SIGKILL',
        maxBuffer: 16 * 1024 * 1024,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        if (error === null) done({ kind: 'ended', code: 0, stdout, stderr });
        else if (typeof error.code === 'number') done({ kind: 'ended', code: error.code, stdout, stderr });
        else if (error.killed)
          done({ kind: 'timed out', why: `no result after ${options.timeoutSeconds} s` });
        else done({ kind: 'not started', why: fileTrouble(error) });
      },
    );
    child.stdin?.end();
    // A process that exits during a build ends the build, too.
    const end = (): void => void child.kill();
    process.once('exit', end);
    child.once('close', () => process.off('exit', end));
  });

/** What a command that failed reports to a person: its last line of output, or why it has none. */
export function lastLineOf(result: CommandResult): string {
  if (result.kind !== 'ended') return result.why;
  const lines = `${result.stdout}\n${result.stderr}`.split('\n').map((line) => line.trim());
  const last = lines.filter((line) => line !== '').at(-1) ?? 'no output';
  return `exit code ${result.code}: ${last.slice(0, 200)}`;
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Every executable file with one of these names in the folders of `PATH`, in their order. */
export async function onPath(host: Host, names: readonly string[]): Promise<readonly string[]> {
  const suffix = host.platform === 'win32' ? '.exe' : '';
  const folders = (host.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const found: string[] = [];
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, `${name}${suffix}`);
      if (!found.includes(path) && (await isExecutable(path))) found.push(path);
    }
  }
  return found;
}

/** The folder, outside the working tree, in which installed tools are kept. */
export const toolCache = (host: Host): string => userFolder('cache', host);

/** Systems on which Go, and so k6, reads certificate authorities from the system's store only. */
const SYSTEM_STORE: Readonly<Partial<Record<string, string>>> = {
  darwin: 'the keychain of macOS (security add-trusted-cert)',
  win32: 'the certificate store of Windows (certutil -user -addstore Root)',
};

/**
 * The absolute path of the file with authorities that k6 trusts besides those of the system. k6 has no
 * option for it; the file is named in SSL_CERT_FILE, which Go reads on all systems except macOS and Windows.
 * @param platform in the words of Node.
 * @throws {UserError} on these two, because k6 would ignore the file.
 */
export function trustedFile(ca: string | undefined, platform: string): string | undefined {
  if (ca === undefined) return undefined;
  const store = SYSTEM_STORE[platform];
  if (store === undefined) return resolve(ca);
  throw new UserError(
    `load cannot use --ca on this system: k6 trusts only ${store}. Add the authority in ${ca} there and omit --ca.`,
  );
}
