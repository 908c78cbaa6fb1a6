import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import type { ClientExit } from '../model/journal.ts';
import type { EndedFamily } from './end-family.ts';
import { endFamily } from './end-family.ts';
import { OutputTail } from './output-tail.ts';
import { familyOf } from './processes.ts';

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
