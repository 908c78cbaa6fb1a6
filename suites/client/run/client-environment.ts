import type { Scenario } from '../model/scenario.ts';

/**
 * What a client finds in its environment besides its task: where programs, files and the caches of language runtimes
 * are. Proxies are left out, because a client must reach the scripted service itself.
 */
const PASSED_ON = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'JAVA_HOME',
  'CLASSPATH',
  'GOROOT',
  'GOPATH',
  'GOCACHE',
  'GOMODCACHE',
  'GOFLAGS',
  'PYTHONPATH',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'PYENV_ROOT',
  'PYENV_VERSION',
  'NODE_PATH',
  'DENO_DIR',
  'GEM_HOME',
  'GEM_PATH',
  'BUNDLE_GEMFILE',
  'BUNDLE_PATH',
  'RBENV_ROOT',
  'PERL5LIB',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'DOTNET_ROOT',
  'NUGET_PACKAGES',
  'MIX_HOME',
  'HEX_HOME',
  'COMPOSER_HOME',
  'LUA_PATH',
  'R_LIBS',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
] as const;

/** The variable by which the processes of one start are found again. */
const MARK_NAME = 'PETSTORE_CLIENT_START';

/** What one start of a client is given. */
export interface ClientTask {
  /** Base address of the service, ending in `/v1`. */
  readonly target: string;
  readonly key: string;
  readonly work: Scenario['work'];
  /** The value of TZ; undefined for that of this program. */
  readonly timeZone: string | undefined;
  readonly mark: string;
}

/** The minimal environment of a client, with its task in the five variables of the contract. */
export function clientEnvironment(
  { target, key, work, timeZone, mark }: ClientTask,
  env: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    ...(timeZone === undefined ? {} : { TZ: timeZone }),
    PETSTORE_TARGET: target,
    PETSTORE_API_KEY: key,
    PETSTORE_CALLS: String(work.calls),
    PETSTORE_CREATES: String(work.creates),
    PETSTORE_CONCURRENCY: String(work.concurrency),
    [MARK_NAME]: mark,
  };
}
