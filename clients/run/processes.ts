import { readdirSync, readFileSync } from 'node:fs';

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
}

/**
 * The living processes of a family: those of the leader's group and session, and those that left both but carry the mark
 * in their environment. Empty where the system has no /proc; its process group is then all that is known.
 */
export function livingOf({ leader, mark }: Family): readonly SystemProcess[] {
  return processIds().flatMap((pid) => {
    const status = statusOf(pid);
    if (status === undefined || status.state === 'Z' || status.state === 'X') return [];
    const belongs = status.group === leader || status.session === leader || environmentOf(pid).includes(mark);
    return belongs ? [{ pid, name: status.name }] : [];
  });
}

/** What `/proc/PID/stat` says of a process (proc(5)). */
interface ProcessStatus {
  readonly name: string;
  readonly state: string;
  readonly group: number;
  readonly session: number;
}

function statusOf(pid: number): ProcessStatus | undefined {
  const text = read(`/proc/${pid}/stat`);
  // The name stands in parentheses and may contain some itself.
  const end = text.lastIndexOf(')');
  if (end === -1) return undefined;
  const [state = '', , group, session] = text.slice(end + 2).split(' ');
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    state,
    group: Number(group),
    session: Number(session),
  };
}

const environmentOf = (pid: number): string => read(`/proc/${pid}/environ`);

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** The text of a file, empty where the process has ended or belongs to another user. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
