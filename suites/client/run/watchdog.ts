import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { now } from '../../../kernel/recording/line-file.ts';
import type { StallLine } from '../model/journal.ts';

/** Its input ends when the process that writes it is killed, too. Then it kills the groups that it read, and all with the mark. */
const SCRIPT = `
trap '' INT TERM HUP
groups=' '
while read -r verb group; do
  case $verb in
    watch) groups="$groups$group " ;;
    forget)
      kept=' '
      for one in $groups; do [ "$one" = "$group" ] || kept="$kept$one "; done
      groups=$kept ;;
  esac
done
for round in 1 2 3 4 5; do
  found=
  for one in $groups; do kill -s KILL -- "-$one" 2>/dev/null && found=1; done
  for file in $(grep -lsF -e "$1" /proc/[0-9]*/environ 2>/dev/null); do
    process=\${file#/proc/}
    kill -s KILL "\${process%/environ}" 2>/dev/null && found=1
  done
  [ -n "$found" ] || exit 0
done
`;

/** Starts what ends the clients of a run when this process ends, however it ends: a shell that mostly sleeps. @param mark stands in the environment of every client. */
export function startWatchdog(mark: string) {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'petstore-conformance-watchdog', mark], {
    // A group of its own, so that Ctrl-C does not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  });
  // A watchdog that cannot be started or was killed is missed only if this process is killed, too.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  const ended = shell.pid === undefined ? Promise.resolve() : once(shell, 'exit');
  return {
    /** A client leads this process group from now on. */
    watch: (group: number) => shell.stdin.write(`watch ${group}\n`),
    /** All processes of the group have ended, so that its number may be given to others. */
    forget: (group: number) => shell.stdin.write(`forget ${group}\n`),
    /** Ends the watchdog, and what clients have left behind. */
    async close(): Promise<void> {
      shell.stdin.end();
      await ended;
    },
  };
}

export type Watchdog = ReturnType<typeof startWatchdog>;

/** How often it is seen whether this program runs, in milliseconds. */
const INTERVAL = 50;
/** A timer that is later than this (milliseconds) is a stall; less is what a busy machine does all the time. */
const SHORTEST_STALL = 200;

/** Judges leave out what a moment may have changed in which this program itself did not run. Returns what ends it. */
export function watchStalls(record: (line: StallLine) => void): () => void {
  let last = now().mono;
  const timer = setInterval(() => {
    const at = now();
    const milliseconds = at.mono - last - INTERVAL;
    last = at.mono;
    if (milliseconds >= SHORTEST_STALL) record({ kind: 'stall', at, milliseconds });
  }, INTERVAL);
  return () => clearInterval(timer);
}
