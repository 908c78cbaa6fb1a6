import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** A process of this machine. */
export interface SystemProcess {
  readonly pid: number;
  /** The name of its program, of at most 15 characters. */
  readonly name: string;
}

/** By what the processes of one start are recognized. */
export interface Family {
  /** The process that was started: it leads a process group and a session of its own. */
  readonly leader: number;
  /** Stands in the environment of every process that it starts, unless one clears it. */
  readonly mark: string;
  /** When the leader was started, in ticks since this machine was; 0 where the system does not say. */
  readonly since: number;
}

/** The family of a process that was started just now. */
export const familyOf = (leader: number, mark: string): Family => ({
  leader,
  mark,
  since: statusIn(statusTextOf(leader))?.since ?? 0,
});

/**
 * The living processes of a family: those of the leader's group and session, and those that left both but carry the mark
 * in their environment. Empty where the system has no /proc; its process group is then all that is known. It does not
 * block, because the services of other starts stamp their requests meanwhile.
 */
export async function livingOf(family: Family): Promise<readonly SystemProcess[]> {
  const members = await Promise.all((await processIds()).map((pid) => memberOf(family, pid)));
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

/** What `/proc/PID/stat` says of a process (proc(5)). */
interface ProcessStatus {
  readonly name: string;
  readonly state: string;
  readonly group: number;
  readonly session: number;
  /** When it was started, in ticks since this machine was. */
  readonly since: number;
}

/** The place of the start time among the fields after the name. */
const START_FIELD = 19;

function statusIn(text: string): ProcessStatus | undefined {
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
    since: Number(fields[START_FIELD]),
  };
}

async function processIds(): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** The text of a file, empty where the process has ended or belongs to another user. */
const read = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');

/** The status of a process that was started just now, read at once, before it can end. */
function statusTextOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return '';
  }
}
