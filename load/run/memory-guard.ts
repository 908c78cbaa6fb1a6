import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

/** What k6 may take of the memory of this machine, or of the container that this program runs in. */
const MOST_SHARE = 1 / 2;

/** The most bytes of memory that k6 may use. */
export function mostMemory(): number {
  // 0 or undefined where there is no container with a limit.
  const container = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return MOST_SHARE * Math.min(totalmem(), container);
}

/**
 * Ends k6 where it uses more memory than it may: it holds every body that it reads, and a target may send one without
 * an end. On systems without `/proc` nothing is ended.
 */
export class MemoryGuard {
  readonly #child: ChildProcess;
  readonly #mostBytes: number;
  #exceeded = false;

  constructor(child: ChildProcess, mostBytes: number) {
    this.#child = child;
    this.#mostBytes = mostBytes;
  }

  /** The bound in bytes, where it was exceeded and the process was ended. */
  get exceeded(): number | undefined {
    return this.#exceeded ? this.#mostBytes : undefined;
  }

  /** Ends the process if it exceeds the bound now. */
  check(): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#exceeded || residentBytes(pid) <= this.#mostBytes) return;
    this.#exceeded = true;
    this.#child.kill('SIGKILL');
  }
}

/** Bytes of memory that a process holds; 0 where that is not known, as after its end. */
function residentBytes(pid: number): number {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return 1024 * Number(kibibytes ?? 0);
  } catch {
    return 0;
  }
}
