import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { orNone } from '../../../kernel/basics/errors.ts';
import { definedFields } from '../../../kernel/basics/json.ts';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import type { ClientExit } from '../model/journal.ts';
import type { Scenario } from '../model/scenario.ts';

interface SystemProcess {
  readonly pid: number;
  readonly name: string;
}

/** By what the processes of one start are recognized. */
interface Family {
  /** The process that was started: it leads a process group and a session of its own. */
  readonly leader: number;
  /** Stands in the environment of every process that it starts, unless one clears it. */
  readonly mark: string;
  /** When the leader was started, in ticks since this machine was; 0 where the system does not say. */
  readonly since: number;
}

/** The family of a process that was started just now: its status is read at once, before it can end. */
function familyOf(leader: number, mark: string): Family {
  const status = orNone(() => statusIn(readFileSync(`/proc/${leader}/stat`, 'latin1')));
  return { leader, mark, since: status?.since ?? 0 };
}

/** Those of the group and session, and those with the mark in their environment; none without /proc. It does not block other starts. */
async function livingOf(family: Family): Promise<readonly SystemProcess[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const members = await Promise.all(pids.map((pid) => memberOf(family, pid)));
  return members.filter((member) => member !== undefined);
}

async function memberOf({ leader, mark, since }: Family, pid: number): Promise<SystemProcess | undefined> {
  const status = statusIn(await read(`/proc/${pid}/stat`));
  // Older processes are no descendants: their environment is not read, which would take most of the time.
  if (status === undefined || status.since < since || /[ZX]/.test(status.state)) return undefined;
  const belongs =
    status.group === leader ||
    status.session === leader ||
    (await read(`/proc/${pid}/environ`)).includes(mark);
  return belongs ? { pid, name: status.name } : undefined;
}

/** The place of the start time among the fields after the name. */
const START_FIELD = 19;

function statusIn(text: string) {
  // The name stands in parentheses and may contain some itself.
  const end = text.lastIndexOf(')');
  if (end === -1) return undefined;
  const fields = text.slice(end + 2).split(' ');
  const [state = '', , group, session] = fields;
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    state,
    group: Number(group),
    session: Number(session),
    /** When it was started, in ticks since this machine was. */
    since: Number(fields[START_FIELD]),
  };
}

/** The text of a file, empty where the process has ended or belongs to another user. */
const read = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');

/** How long a client may take to end after SIGTERM, in milliseconds. */
const GRACE_MS = 1000;
const POLL_MS = 50;

/** How often SIGKILL is sent to processes that appear again. */
const KILLS = 10;

/** Ends every process of a family: SIGTERM, a second, then SIGKILL to its group and to those outside of it. */
async function endFamily(family: Family) {
  const found = await livingOf(family);
  let living = found;
  const wait = async (): Promise<void> => {
    await delay(POLL_MS);
    living = await livingOf(family);
  };
  signal(family, living, 'SIGTERM');
  for (let waited = 0; waited < GRACE_MS && isAlive(family, living); waited += POLL_MS) await wait();
  for (let sent = 0; sent < KILLS && isAlive(family, living); sent += 1) {
    signal(family, living, 'SIGKILL');
    await wait();
  }
  return { found, unended: living };
}

function signal({ leader }: Family, living: readonly SystemProcess[], name: NodeJS.Signals): void {
  // The number of a group without members may soon belong to others.
  if (living.length > 0 || !SHOWS_PROCESSES) send(-leader, name);
  for (const { pid } of living) send(pid, name);
}

/** Whether `livingOf` finds processes here. Elsewhere the group alone can be asked for. */
const SHOWS_PROCESSES = process.platform === 'linux';

const isAlive = ({ leader }: Family, living: readonly SystemProcess[]): boolean =>
  living.length > 0 || (!SHOWS_PROCESSES && send(-leader, 0));

/** Whether a signal could be sent: not to a process or group that has ended. */
const send = (pid: number, name: NodeJS.Signals | 0): boolean =>
  orNone(() => process.kill(pid, name)) === true;

/** Bytes after which a client is stopped that prints without end. What it prints until then is held in memory. */
const MOST_OUTPUT_BYTES = 5 * 1024 * 1024;

/** Bytes that are kept of what a client prints: the last ones. */
const KEPT_OUTPUT_BYTES = 64 * 1024;

/** Bytes that are kept beyond these for redaction, because a cut could leave half a key behind, every byte of it escaped. */
const CUT_MARGIN = 1024;

function endOfOutput(printed: Buffer, redact: Redact): string {
  const redacted = redact(printed.subarray(-KEPT_OUTPUT_BYTES - CUT_MARGIN).toString('utf8'));
  return printed.length > KEPT_OUTPUT_BYTES ? redacted.slice(CUT_MARGIN) : redacted;
}

interface ClientProcessSettings {
  readonly words: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** A part of `env` that no other start has. */
  readonly mark: string;
  readonly onTooMuchOutput: () => void;
}

/** How a process ended by itself. */
type OwnEnd = Extract<ClientExit, { kind: 'exited' | 'signalled' | 'not-started' }>;

/** How long output may still come after the last process has ended, in milliseconds. */
const OUTPUT_GRACE_MS = 200;

/** Starts a client in a process group and a session of its own. */
export function startClient({ words, env, mark, onTooMuchOutput }: ClientProcessSettings) {
  const [program, ...args] = words;
  const printed: Buffer[] = [];
  let bytes = 0;
  const keep = (chunk: Buffer): void => {
    if (bytes > MOST_OUTPUT_BYTES) return;
    printed.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_OUTPUT_BYTES) onTooMuchOutput();
  };
  const child = spawn(program, args, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', keep).on('error', () => undefined);
  }
  const closed = once(child, 'close').catch(() => undefined);
  const { pid } = child;
  const family = pid === undefined ? undefined : familyOf(pid, mark);
  return {
    /** Undefined where it could not be started. */
    group: pid,
    ended: ownEnd(child),
    async end() {
      const ended = family === undefined ? { found: [], unended: [] } : await endFamily(family);
      await Promise.race([closed, delay(OUTPUT_GRACE_MS)]);
      child.stdout.destroy();
      child.stderr.destroy();
      return ended;
    },
    output: (redact: Redact) => endOfOutput(Buffer.concat(printed), redact),
  };
}

/** Resolves when the started process has ended by itself. Never rejects. */
function ownEnd(child: ChildProcess): Promise<OwnEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not-started', because: error.message }));
    child.once('exit', (code, signal) =>
      resolve(
        signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal: String(signal) },
      ),
    );
  });
}

/** Besides its task, by runtime. Proxies are left out, because a client must reach the scripted service itself. */
const PASSED_ON = [
  'PATH HOME USER LANG LC_ALL TZ TMPDIR XDG_CACHE_HOME LD_LIBRARY_PATH DYLD_LIBRARY_PATH',
  'JAVA_HOME CLASSPATH',
  'GOROOT GOPATH GOCACHE GOMODCACHE GOFLAGS',
  'PYTHONPATH VIRTUAL_ENV CONDA_PREFIX PYENV_ROOT PYENV_VERSION',
  'NODE_PATH DENO_DIR',
  'GEM_HOME GEM_PATH BUNDLE_GEMFILE BUNDLE_PATH RBENV_ROOT',
  'CARGO_HOME RUSTUP_HOME',
  'DOTNET_ROOT NUGET_PACKAGES',
  'MIX_HOME HEX_HOME COMPOSER_HOME',
  'PERL5LIB LUA_PATH R_LIBS',
].flatMap((names) => names.split(' '));

/** The variable by which the processes of one start are found again. */
const MARK_NAME = 'PETSTORE_CLIENT_START';

/** What one start of a client is given. */
interface ClientTask {
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
  const passed = Object.fromEntries(PASSED_ON.map((name) => [name, env[name]]));
  return {
    ...definedFields({ ...passed, TZ: timeZone ?? env['TZ'] }),
    PETSTORE_TARGET: target,
    PETSTORE_API_KEY: key,
    PETSTORE_CALLS: String(work.calls),
    PETSTORE_CREATES: String(work.creates),
    PETSTORE_CONCURRENCY: String(work.concurrency),
    [MARK_NAME]: mark,
  };
}
