import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import type { ClientExit } from '../model/journal.ts';
import type { EndedFamily } from './end-family.ts';
import { endFamily } from './end-family.ts';
import { familyOf } from './processes.ts';

/** Bytes that are kept of what a client prints: the last ones. */
const KEPT_OUTPUT_BYTES = 64 * 1024;

/** Bytes after which a client is stopped that prints without end. */
const MOST_OUTPUT_BYTES = 5 * 1024 * 1024;

/** Bytes that are kept beyond these for redaction, because a cut could leave half a key behind, every byte of it escaped. */
const CUT_MARGIN = 1024;

/** The end of what a client has printed, in bounded memory. */
class OutputTail {
  readonly #onExcess: () => void;
  #chunks: Buffer[] = [];
  #kept = 0;
  #total = 0;

  /** @param onExcess called when the client has printed more than it may. */
  constructor(onExcess: () => void) {
    this.#onExcess = onExcess;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    if (this.#kept > 4 * KEPT_OUTPUT_BYTES) this.#compact();
    if (this.#total > MOST_OUTPUT_BYTES) this.#onExcess();
  }

  /** The last of it, the key replaced by its name. */
  text(redact: Redact): string {
    this.#compact();
    const [bytes = Buffer.alloc(0)] = this.#chunks;
    const redacted = redact(bytes.toString('utf8'));
    return this.#total > KEPT_OUTPUT_BYTES ? redacted.slice(CUT_MARGIN) : redacted;
  }

  #compact(): void {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [Buffer.from(all.subarray(Math.max(0, all.length - KEPT_OUTPUT_BYTES - CUT_MARGIN)))];
    this.#kept = this.#chunks[0]?.length ?? 0;
  }
}

/** A client to start. */
export interface ClientProcessSettings {
  /** The program and its arguments. */
  readonly words: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** A part of `env` that no other start has. */
  readonly mark: string;
  readonly onTooMuchOutput: () => void;
}

/** How a process ended by itself. */
export type OwnEnd = Extract<ClientExit, { kind: 'exited' | 'signalled' | 'not-started' }>;

/** A started client. */
export interface ClientProcess {
  /** Undefined where it could not be started. */
  readonly group: number | undefined;
  /** Resolves when the started process has ended by itself. Never rejects. */
  readonly ended: Promise<OwnEnd>;
  /** Ends every process of it. */
  end(): Promise<EndedFamily>;
  output(redact: Redact): string;
}

/** How long output may still come after the last process has ended, in milliseconds. */
const OUTPUT_GRACE_MS = 200;

/** Starts a client in a process group and a session of its own. */
export function startClient({ words, env, mark, onTooMuchOutput }: ClientProcessSettings): ClientProcess {
  const [program, ...args] = words;
  const tail = new OutputTail(onTooMuchOutput);
  const child = spawn(program, args, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => tail.add(chunk)).on('error', () => undefined);
  }
  const closed = once(child, 'close').catch(() => undefined);
  const { pid } = child;
  const family = pid === undefined ? undefined : familyOf(pid, mark);
  return {
    group: pid,
    ended: ownEnd(child),
    async end() {
      const ended = family === undefined ? { found: [], unended: [] } : await endFamily(family);
      await Promise.race([closed, delay(OUTPUT_GRACE_MS)]);
      child.stdout.destroy();
      child.stderr.destroy();
      return ended;
    },
    output: (redact) => tail.text(redact),
  };
}

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
